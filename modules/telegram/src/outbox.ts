/** Sends what the surface has decided to say, each chat's in its order, over restarts. */
import type { KernelClient, Logger } from '@chat-kernel/module-sdk';
import { asBotSignal, type Bot, isRefused, isUnknownBot, says, untilAnswered } from './bot.ts';
import { escaped, htmlOf } from './html.ts';
import type { Store } from './store.ts';
import type { Body, Outgoing } from './tables.ts';
import { type To, Uploads } from './uploads.ts';

interface Services {
  bot: Bot;
  store: Store;
  kernel: KernelClient;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Telegram knows no key by which a repeat is the same message. A message whose sending was cut off by a crash is sent
 * again: then it may be there twice, which is better than not at all.
 */
export class Outbox {
  readonly #services: Services;
  readonly #uploads: Uploads;
  /** The chats that are being served, and whether more has come for them meanwhile. */
  readonly #busy = new Map<number, boolean>();

  constructor(services: Services) {
    this.#services = services;
    this.#uploads = new Uploads(services);
  }

  /** Sends all that is not sent yet. Returns at once. */
  flush(): void {
    for (const chatId of new Set(this.#services.store.unsent().map(({ chat_id }) => chat_id))) {
      if (this.#busy.has(chatId)) this.#busy.set(chatId, true);
      else void this.#serve(chatId);
    }
  }

  async #serve(chatId: number): Promise<void> {
    const { store, signal, log } = this.#services;
    try {
      do {
        this.#busy.set(chatId, false);
        for (const each of store.unsent().filter(({ chat_id }) => chat_id === chatId)) await this.#send(each);
      } while (this.#busy.get(chatId));
    } catch (error) {
      if (!signal.aborted) log.error(`A message could not be sent: ${(error as Error).message}`);
    } finally {
      this.#busy.delete(chatId);
    }
  }

  async #send(message: Outgoing): Promise<void> {
    const { store, signal, log } = this.#services;
    store.sentAs(message.id, 'sending');
    try {
      const sent = await untilAnswered(() => this.#call(message), signal);
      store.sentAs(message.id, 'sent', sent);
    } catch (error) {
      signal.throwIfAborted();
      if (isUnknownBot(error)) {
        // With another token it can be sent: it waits for the next start.
        store.sentAs(message.id, 'waiting');
        throw error;
      }
      store.sentAs(message.id, 'failed');
      log.warn(`Telegram refuses a message to ${message.chat_id}: ${(error as Error).message}`);
    }
  }

  /** Resolves with the id of the message; null: there was nothing to send. */
  async #call({ chat_id, thread_id, body }: Outgoing): Promise<number | null> {
    const to = { chat_id, ...(thread_id !== 0 && { message_thread_id: thread_id }) };
    return body.kind === 'text' || body.kind === 'exact'
      ? this.#text(to, body)
      : this.#uploads.send(to, body);
  }

  async #text(to: To, body: Extract<Body, { kind: 'text' | 'exact' }>): Promise<number> {
    const plain = body.kind === 'text' ? body.markdown : body.text;
    const html = body.kind === 'text' ? htmlOf(plain) : `<pre>${escaped(plain)}</pre>`;
    try {
      return await this.#put(to, body, { text: html, parse_mode: 'HTML' });
    } catch (error) {
      // A text is never lost to its looks.
      if (!says(error, "can't parse") && !says(error, 'too long') && !says(error, 'text is empty'))
        throw error;
      return this.#put(to, body, { text: plain });
    }
  }

  async #put(to: To, body: Extract<Body, { kind: 'text' | 'exact' }>, text: Text): Promise<number> {
    const { bot, signal } = this.#services;
    const over = asBotSignal(signal);
    const keyboard = { reply_markup: { inline_keyboard: body.buttons ?? [] } };
    const shown = { ...text, link_preview_options: { is_disabled: true } };
    if (body.edit !== undefined) {
      try {
        await bot.editMessageText(
          { chat_id: to.chat_id, message_id: body.edit, ...shown, ...keyboard },
          over,
        );
        return body.edit;
      } catch (error) {
        if (says(error, 'not modified')) return body.edit;
        // Somebody has deleted the message, or it is too old: the text comes as a new one.
        if (!isRefused(error) || says(error, "can't parse") || says(error, 'too long')) throw error;
      }
    }
    const reply =
      body.kind === 'text' && body.reply_to !== undefined
        ? { reply_parameters: { message_id: body.reply_to, allow_sending_without_reply: true } }
        : {};
    return (await bot.sendMessage({ ...to, ...shown, ...reply, ...(body.buttons && keyboard) }, over))
      .message_id;
  }
}

interface Text {
  text: string;
  parse_mode?: 'HTML';
}
