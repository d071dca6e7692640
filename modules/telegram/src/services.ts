/** The services of all parts of the module. */
import type { KernelClient, Logger } from '@chat-kernel/module-sdk';
import type { CrashGuard } from '@chat-kernel/module-sdk/surface';
import type { Bot } from './bot.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

export interface Services {
  bot: Bot;
  store: Store;
  kernel: KernelClient;
  guard: CrashGuard;
  settings: Settings;
  log: Logger;
  signal: AbortSignal;
}
