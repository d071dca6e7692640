/** What the parts of the module share. */
import type { KernelClient, Logger } from '@chat-kernel/module-sdk';
import type { CrashGuard } from '@chat-kernel/module-sdk/surface';
import type { UserFromGetMe } from 'grammy/types';
import type { AnswerStream } from './answer-stream.ts';
import type { Bot } from './bot.ts';
import type { Outbox } from './outbox.ts';
import type { Requests } from './requests.ts';
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

export interface SendingServices extends Services {
  outbox: Outbox;
}

/** The services for handling updates. */
export interface SurfaceServices extends SendingServices {
  me: UserFromGetMe;
  teller: AnswerStream;
  requests: Requests;
}
