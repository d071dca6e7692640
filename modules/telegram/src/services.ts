/** The services for handling updates. */
import type { KernelClient, Logger } from '@chat-kernel/module-sdk';
import type { CrashGuard } from '@chat-kernel/module-sdk/surface';
import type { UserFromGetMe } from 'grammy/types';
import type { AnswerStream } from './answer-stream.ts';
import type { Bot } from './bot.ts';
import type { Outbox } from './outbox.ts';
import type { Requests } from './requests.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

export interface SurfaceServices {
  bot: Bot;
  me: UserFromGetMe;
  store: Store;
  kernel: KernelClient;
  outbox: Outbox;
  teller: AnswerStream;
  guard: CrashGuard;
  requests: Requests;
  settings: Settings;
  log: Logger;
  signal: AbortSignal;
}
