/** Messages of the bot, as displayed, and as returned by the Bot API. */
import type { Given } from './checks.ts';
import type { SentFile } from './wire.ts';

export const BOT = { id: 42, is_bot: true, first_name: 'Kernel', username: 'kernel_bot' };

export interface Shown {
  chat_id: number;
  message_id: number;
  thread_id: number;
  /** The displayed text. */
  text: string;
  html: boolean;
  buttons: { text: string; callback_data: string }[];
  reply_to?: number;
  file?: SentFile;
}

export const asMessage = ({ chat_id, message_id, text }: Shown): object => ({
  message_id,
  date: 1,
  chat: { id: chat_id, type: chat_id < 0 ? 'supergroup' : 'private' },
  from: BOT,
  text,
});

export const buttonsOf = ({ reply_markup }: Given): Shown['buttons'] =>
  ((reply_markup as { inline_keyboard?: Shown['buttons'][] } | undefined)?.inline_keyboard ?? []).flat();
