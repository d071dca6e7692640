/** What the host of modules needs of the kernel and its settings. */
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import type { ModuleSettings } from '@chat-kernel/protocol';
import type { ProcessEnvironment } from '../../processes/environment.ts';

export interface ModuleHostDeps {
  /** The directory whose sockets are modules; it may appear later. */
  socket_dir: string;
  servers: Readonly<Record<string, ModuleSettings>>;
  store: Pick<Store, 'modules'>;
  clock: Clock;
  log: Log;
  /** Names of tools that modules cannot have. */
  reserved: ReadonlySet<string>;
  /** The environment of the kernel. Modules that it starts get the harmless variables. */
  environment: ProcessEnvironment;
}
