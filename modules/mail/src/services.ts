/** The services of all parts of the module. */
import type { KernelClient, Logger } from '@chat-kernel/module-sdk';
import type { CrashGuard } from '@chat-kernel/module-sdk/surface';
import type { Folders } from './folders.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';

export interface MailServices {
  settings: MailSettings;
  store: MailStore;
  kernel: KernelClient;
  guard: CrashGuard;
  folders: Folders;
  log: Logger;
  /** Called when an email is in the outbox. */
  onMail: () => void;
}
