/** Shows requests of the kernel to the owner with buttons, and closes them when they are answered on any device. */
import type { PendingRequest } from '@chat-kernel/client';
import {
  errorDetail,
  followRequests,
  hasStatus,
  requestKey,
  retryUntilAvailable,
} from '@chat-kernel/module-sdk/surface';
import type { Message } from 'grammy/types';
import { HIDDEN_REQUEST } from './given-up.ts';
import type { SendingServices } from './outbox.ts';
import { renderRequest } from './render-request.ts';
import { MAX_TEXT } from './split.ts';
import type { Conversation, Press, RequestIds, RequestRow } from './tables.ts';

export class Requests {
  readonly #services: SendingServices;

  constructor(services: SendingServices) {
    this.#services = services;
  }

  /** Follows the requests of all chats until the signal is aborted. Never rejects. */
  follow(): Promise<void> {
    const { store } = this.#services;
    return followRequests<RequestRow>(
      {
        show: request => this.#show(request),
        shown: () => new Map(store.openRequests().map(row => [toRequestKey(row), row])),
        close: (row, how) => this.#close(row, how),
      },
      this.#services,
    );
  }

  async #show(request: PendingRequest): Promise<void> {
    const { store, outbox, guard, log } = this.#services;
    const place = this.#placeFor(request);
    const { id: request_id, question = -1, chat_id: kernel_chat } = request;
    const ids = { request_id, question, kernel_chat };
    if (!place || store.hasRequest(ids)) return;
    const giveUp = () => {
      log.error(`A request to chat ${place.chat_id} is given up: showing it ended the process twice.`);
      store.transaction(() => {
        const row = store.addRequest({ ...ids, text: HIDDEN_REQUEST });
        if (row === undefined) return;
        store.setShown(row, store.send(place, { kind: 'exact', text: HIDDEN_REQUEST, notice: true }));
      });
    };
    await guard.attempt(
      `request ${requestKey(request)}`,
      async () => this.#send(request, ids, place),
      giveUp,
    );
    outbox.flush();
  }

  #send(request: PendingRequest, ids: RequestIds, place: Conversation): void {
    const { store } = this.#services;
    const shown = renderRequest(request);
    if (!shown) return;
    const { text, choices } = shown;
    store.transaction(() => {
      const row = store.addRequest({ ...ids, text });
      if (row === undefined) return;
      const rows = choices.map(({ label, ...choice }) => [
        { text: label, press: { do: 'answer', asked: row, label, ...choice } satisfies Press },
      ]);
      const buttons = store.buttons(rows);
      // A request that is too long for a message is sent as a file before the buttons.
      const fits = text.length <= MAX_TEXT;
      if (!fits) store.send(place, { kind: 'document', name: 'request.txt', text });
      const words = fits ? text : 'The request is too long for a message. See the file above.';
      store.setShown(row, store.send(place, { kind: 'exact', text: words, buttons }));
    });
  }

  /**
   * The chat that the request is about. Requests of other chats go to the owner's private chat, if the settings say so.
   */
  #placeFor({ chat_id }: PendingRequest): Conversation | undefined {
    const { store, settings } = this.#services;
    const own = store.findConversation(chat_id);
    if (own || !settings.notify_requests) return own;
    return { chat_id: settings.owner[0]!, thread_id: 0 };
  }

  /** Resolves with the notice for the owner who pressed the button. */
  async answer(press: Extract<Press, { do: 'answer' }>): Promise<string> {
    const row = this.#services.store.asked(press.asked);
    if (!row?.open) return 'This request is already closed.';
    const { answer, decision } = press;
    return this.#post(
      row,
      { ...(answer !== undefined && { answer }), ...(decision !== undefined && { decision }) },
      press.label,
    );
  }

  /** Resolves with whether the message answered a question as a text reply. */
  async reply({ text, reply_to_message }: Message, place: Conversation): Promise<boolean> {
    if (!text || !reply_to_message) return false;
    const row = this.#services.store.requestShownIn(place, reply_to_message.message_id);
    // Operations are decided only by buttons.
    if (!row || row.question < 0) return false;
    await this.#post(row, { answer: text }, text);
    return true;
  }

  async #post(row: RequestRow, said: { answer?: string; decision?: string }, label: string): Promise<string> {
    const { kernel, signal } = this.#services;
    const about = row.question >= 0 ? { question: row.question } : { client: 'telegram' };
    const body = { id: row.request_id, ...about, ...said };
    try {
      await retryUntilAvailable(() => kernel.answerRequest(row.kernel_chat, body, { signal }), signal);
      this.#close(row, label);
      return label.slice(0, 200);
    } catch (error) {
      signal.throwIfAborted();
      if (hasStatus(error, 409) || hasStatus(error, 404)) this.#close(row, 'answered on another device');
      return errorDetail(error).slice(0, 200);
    }
  }

  /** Removes the buttons, and says how the request ended. */
  #close(row: RequestRow, how: string): void {
    const { store, outbox } = this.#services;
    const message = store.outgoing(row.outgoing);
    store.transaction(() => {
      if (!store.asked(row.id)?.open) return;
      store.closeRequest(row.id);
      if (message?.message_id == null) return;
      const ending = `\n\n→ ${how.slice(0, 300)}`;
      const text = message.body.kind === 'exact' ? message.body.text : '';
      const shown = text.slice(0, MAX_TEXT - ending.length).toWellFormed() + ending;
      store.send(message, { kind: 'exact', text: shown, edit: message.message_id });
    });
    outbox.flush();
  }
}

const toRequestKey = ({ request_id: id, kernel_chat: chat_id, question }: RequestRow): string =>
  requestKey({ id, chat_id, ...(question >= 0 && { question }) });
