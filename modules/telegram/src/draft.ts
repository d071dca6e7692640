/**
 * Shows a preview of an answer while the model writes it: as a draft in private chats, as an edited message elsewhere.
 */
import { setTimeout } from 'node:timers/promises';
import { asBotSignal, type Bot, isRefused, retryAfterMs } from './bot.ts';
import { MAX_TEXT } from './split.ts';
import type { Row, TurnRow } from './tables.ts';

/** The interval between two updates of a preview; groups allow 20 messages a minute. */
const PAUSE_MS = 1000;
const PAUSE_IN_GROUPS_MS = 3000;

interface Growing {
  bot: Bot;
  turn: Pick<TurnRow, 'update_id' | 'chat_id' | 'thread_id' | 'message_id' | 'live_message'>;
  /** The button below a preview message; Telegram adds its own to drafts. */
  stop(): Row[];
  /** Called with the message that shows the preview. */
  onMessage(messageId: number): void;
  signal: AbortSignal;
}

export class Draft {
  readonly #growing: Growing;
  /** A Bot API server without support for drafts gets messages. */
  #asMessage: boolean;
  #message: number | null;
  #wanted = '';
  #shown = '';
  #ended = false;
  #work: Promise<void> | undefined;

  constructor(growing: Growing) {
    this.#growing = growing;
    this.#message = growing.turn.live_message;
    this.#asMessage = growing.turn.chat_id < 0 || this.#message !== null;
  }

  /** Shows that the bot is typing. */
  begin(): void {
    const { bot, signal } = this.#growing;
    bot.sendChatAction({ ...this.#to(), action: 'typing' }, asBotSignal(signal)).catch(() => {});
  }

  /** Updates the text. Returns immediately, and skips updates that come too fast. */
  show(text: string): void {
    this.#wanted = text;
    this.#work ??= this.#follow().finally(() => (this.#work = undefined));
  }

  /** No update follows this. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#work;
  }

  async #follow(): Promise<void> {
    const { signal, turn } = this.#growing;
    while (!this.#ended && !signal.aborted && this.#wanted.trim() !== '' && this.#wanted !== this.#shown) {
      const text = this.#wanted;
      let pause = turn.chat_id < 0 ? PAUSE_IN_GROUPS_MS : PAUSE_MS;
      try {
        await this.#put(truncateStart(text));
        this.#shown = text;
      } catch (error) {
        if (!this.#asMessage && isRefused(error)) this.#asMessage = true;
        // The next update replaces a preview that failed.
        else this.#shown = text;
        pause = Math.max(pause, retryAfterMs(error) ?? 0);
      }
      for (const until = Date.now() + pause; !this.#ended && Date.now() < until; ) {
        await setTimeout(50, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #put(text: string): Promise<void> {
    const { bot, turn, signal, stop, onMessage } = this.#growing;
    const over = asBotSignal(signal);
    if (!this.#asMessage) {
      await bot.sendMessageDraft({ ...this.#to(), draft_id: turn.update_id, text, can_stop: true }, over);
      return;
    }
    const reply_markup = { inline_keyboard: stop() };
    if (this.#message === null) {
      const reply_parameters = { message_id: turn.message_id, allow_sending_without_reply: true };
      const sent = await bot.sendMessage({ ...this.#to(), text, reply_markup, reply_parameters }, over);
      this.#message = sent.message_id;
      onMessage(sent.message_id);
    } else {
      await bot.editMessageText(
        { chat_id: turn.chat_id, message_id: this.#message, text, reply_markup },
        over,
      );
    }
  }

  #to(): { chat_id: number; message_thread_id?: number } {
    const { chat_id, thread_id } = this.#growing.turn;
    return { chat_id, ...(thread_id !== 0 && { message_thread_id: thread_id }) };
  }
}

/** Keeps the end of a text that is too long for a message. */
const truncateStart = (text: string): string =>
  text.length <= MAX_TEXT ? text : `… ${text.slice(2 - MAX_TEXT).toWellFormed()}`;
