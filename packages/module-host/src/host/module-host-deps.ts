/** Defines the dependencies of the module host: parts of the kernel and its settings. */
import type { ProcessEnvironment } from '@chat-kernel/hands/processes';
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import type { ModuleSettings } from '@chat-kernel/protocol';

export interface ModuleHostDeps {
  /** The directory whose sockets are modules; it may appear later. */
  socket_dir: string;
  servers: Readonly<Record<string, ModuleSettings>>;
  store: Pick<Store, 'modules'>;
  clock: Clock;
  log: Log;
  /** Names of tools that modules cannot have. */
  reserved: ReadonlySet<string>;
  /** Returns a sentence for each model that does not get some of these tools. */
  describeOmitted?(tools: readonly string[]): readonly string[];
  /** Called for each part of a message of a module that was not understood, with its name there. */
  onUnread?(module: string, shape: string): void;
  /** The environment of the kernel. Modules that it starts receive only its harmless variables. */
  environment: ProcessEnvironment;
}
