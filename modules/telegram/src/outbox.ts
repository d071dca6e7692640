/** Sends the queued messages of each chat in order, and continues after restarts. */
import { Outbox as DurableOutbox, GivenUp, type SendFailure } from '@chat-kernel/module-sdk/surface';
import { asBotSignal, isRefused, isUnknownBot, mayPass, retryAfterMs, says, TELEGRAM_PAUSES } from './bot.ts';
import { describeHidden, sendingWork } from './given-up.ts';
import { escaped, renderHtml } from './html.ts';
import type { Services } from './services.ts';
import type { Body, Outgoing } from './tables.ts';
import { type To, Uploads } from './uploads.ts';

export interface SendingServices extends Services {
  outbox: Outbox;
}

/**
 * Telegram has no idempotency keys. A message whose sending was interrupted by a crash is sent again: a duplicate is
 * better than a missing message.
 */
export class Outbox {
  readonly #services: Services;
  readonly #uploads: Uploads;
  readonly #outbox: DurableOutbox<Outgoing, number | null, number>;

  constructor(services: Services) {
    this.#services = services;
    this.#uploads = new Uploads(services);
    const { store, guard } = services;
    this.#outbox = new DurableOutbox(
      {
        pauses: TELEGRAM_PAUSES,
        lanes: () => store.unsent().map(({ chat_id }) => chat_id),
        next: lane => store.unsent().find(({ chat_id }) => chat_id === lane),
        send: message => this.#send(message),
        failureOf: (error, message) => this.#failureOf(error as Error, message),
        mark: (message, state, { lane, receipt = null }) => {
          store.setSent(message.id, state, receipt);
          if (state === 'sent' || state === 'failed') this.#endWork(message);
          // The next attempt begins after a pause.
          else if (lane !== undefined) guard.pause(sendingWork(message));
          return true;
        },
      },
      services,
    );
  }

  /** Sends all unsent messages. Returns immediately. */
  flush(): void {
    void this.#outbox.flush();
  }

  #failureOf(error: Error, { chat_id }: Outgoing): SendFailure {
    const reason = error.message;
    if (error instanceof GivenUp) return { state: 'failed', reason, lane: 'continue' };
    // It can be sent with another token, so it waits for the next start.
    if (isUnknownBot(error)) return { state: 'waiting', reason, lane: 'stop' };
    if (mayPass(error)) return { state: 'sending', reason, lane: 'retry', retryAfterMs: retryAfterMs(error) };
    this.#services.log.warn(`Telegram rejected a message to chat ${chat_id}: ${reason}`);
    return { state: 'failed', reason, lane: 'continue' };
  }

  async #send(message: Outgoing): Promise<number | null> {
    const { guard } = this.#services;
    try {
      if (!message.body.notice) await guard.begin(sendingWork(message));
    } catch (error) {
      if (error instanceof GivenUp) await this.#giveUp(message);
      throw error;
    }
    return this.#call(message);
  }

  /** A notice replaces all that is left of an answer, or another message. */
  async #giveUp(message: Outgoing): Promise<void> {
    const { store, kernel, log, signal } = this.#services;
    const { answer, ...body } = message.body;
    const text = await describeHidden(answer, kernel, signal);
    log.error(`A message to chat ${message.chat_id} is given up: sending it ended the process twice.`);
    const edit = 'edit' in body && body.edit !== undefined ? { edit: body.edit } : {};
    store.transaction(() => {
      for (const { id } of [message, ...this.#others(message)]) store.setSent(id, 'failed');
      store.send(message, { kind: 'exact', text, notice: true, ...edit });
    });
  }

  #endWork(message: Outgoing): void {
    if (this.#others(message).length === 0) this.#services.guard.end(sendingWork(message));
  }

  /** The unsent messages of the same answer. */
  #others({ id, body }: Outgoing): Outgoing[] {
    if (!body.answer) return [];
    const { update_id } = body.answer;
    return this.#services.store
      .unsent()
      .filter(other => other.id !== id && other.body.answer?.update_id === update_id);
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
    const html = body.kind === 'text' ? renderHtml(plain) : `<pre>${escaped(plain)}</pre>`;
    try {
      return await this.#put(to, body, { text: html, parse_mode: 'HTML' });
    } catch (error) {
      // If Telegram rejects the formatting, send the text without it.
      if (!says(error, "can't parse") && !says(error, 'too long') && !says(error, 'text is empty'))
        throw error;
      return this.#put(to, body, { text: plain });
    }
  }

  async #put(to: To, body: Extract<Body, { kind: 'text' | 'exact' }>, text: Text): Promise<number> {
    const { bot, signal } = this.#services;
    const over = asBotSignal(signal);
    const keyboard = { reply_markup: { inline_keyboard: body.buttons ?? [] } };
    if (body.edit !== undefined) {
      try {
        await bot.editMessageText({ chat_id: to.chat_id, message_id: body.edit, ...text, ...keyboard }, over);
        return body.edit;
      } catch (error) {
        if (says(error, 'not modified')) return body.edit;
        // The message was deleted or is too old: send the text as a new message.
        if (!isRefused(error) || says(error, "can't parse") || says(error, 'too long')) throw error;
      }
    }
    const reply =
      body.kind === 'text' && body.reply_to !== undefined
        ? { reply_parameters: { message_id: body.reply_to, allow_sending_without_reply: true } }
        : {};
    return (await bot.sendMessage({ ...to, ...text, ...reply, ...(body.buttons && keyboard) }, over))
      .message_id;
  }
}

interface Text {
  text: string;
  parse_mode?: 'HTML';
}
