/** What the kernel asks the owner: shown with buttons, and struck out once it is answered, wherever that was. */
import { setTimeout } from 'node:timers/promises';
import type { KernelEvent, PendingRequest } from '@chat-kernel/client';
import type { KernelClient, Logger } from '@chat-kernel/module-sdk';
import type { Message } from 'grammy/types';
import { wordsOf } from './asking.ts';
import { detailOf, hasStatus, whenThere } from './kernel-answers.ts';
import type { Outbox } from './outbox.ts';
import type { Settings } from './settings.ts';
import { MAX_TEXT } from './split.ts';
import type { Store } from './store.ts';
import type { Asked, Place, Press } from './tables.ts';

/** The wait after events that could not be followed; the kernel itself is waited for by the client. */
const FOLLOW_AGAIN_MS = 5000;

interface Services {
  store: Store;
  kernel: KernelClient;
  outbox: Outbox;
  settings: Settings;
  log: Logger;
  signal: AbortSignal;
}

export class Requests {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Follows what all chats ask, until the signal is aborted. Never rejects. */
  async follow(): Promise<void> {
    const { kernel, signal, log } = this.#services;
    while (!signal.aborted) {
      try {
        for await (const event of kernel.events({ signal })) await this.#take(event);
      } catch (error) {
        if (signal.aborted) return;
        log.warn(`Requests are not shown for now: ${(error as Error).message}`);
        await setTimeout(FOLLOW_AGAIN_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #take(event: KernelEvent): Promise<void> {
    if (event.type === 'opened' || event.type === 'reset') await this.settled();
    else if (event.type === 'request_opened') this.#show(event.request);
    else if (event.type === 'request_resolved') {
      const { id, chat_id, question = -1, decision, reason } = event;
      for (const asked of this.#services.store.openAsked()) {
        if (isOf(asked, { id, chat_id, question })) this.#close(asked, decision ?? reason);
      }
    }
  }

  /** Compares what is shown with what is open, in case a process before this one, or a broken line, has missed some. */
  async settled(): Promise<void> {
    const { kernel, store, signal } = this.#services;
    const { requests } = await whenThere(() => kernel.listRequests({}, { signal }), signal);
    for (const request of requests) this.#show(request);
    for (const asked of store.openAsked()) {
      const open = requests.some(({ id, chat_id, question = -1 }) => isOf(asked, { id, chat_id, question }));
      if (!open) this.#close(asked, 'no longer open');
    }
  }

  #show(request: PendingRequest): void {
    const { store, outbox } = this.#services;
    const place = this.#placeFor(request);
    const shown = place && wordsOf(request);
    if (!shown) return;
    const { id, question = -1, chat_id } = request;
    const { text, choices } = shown;
    store.together(() => {
      const asked = store.ask({ request_id: id, question, kernel_chat: chat_id, text });
      if (asked === undefined) return;
      const rows = choices.map(({ label, ...choice }) => [
        { text: label, press: { do: 'answer', asked, label, ...choice } satisfies Press },
      ]);
      const buttons = store.buttons(rows);
      // What does not fit a message comes whole as a file before the buttons.
      const fits = text.length <= MAX_TEXT;
      if (!fits) store.send(place, { kind: 'document', name: 'request.txt', text });
      const words = fits ? text : 'The request is in the file above.';
      store.shownIn(asked, store.send(place, { kind: 'exact', text: words, buttons }));
    });
    outbox.flush();
  }

  /** The chat where the message stands that it is about; others, where the owner wants that, in private. */
  #placeFor({ chat_id }: PendingRequest): Place | undefined {
    const { store, settings } = this.#services;
    const own = store.placeOf(chat_id);
    if (own || !settings.notify_requests) return own;
    return { chat_id: settings.owner[0]!, thread_id: 0 };
  }

  /** Resolves with words for the owner who has pressed. */
  async answer(press: Extract<Press, { do: 'answer' }>): Promise<string> {
    const asked = this.#services.store.asked(press.asked);
    if (!asked?.open) return 'This was decided already.';
    const { answer, decision } = press;
    return this.#post(
      asked,
      { ...(answer !== undefined && { answer }), ...(decision !== undefined && { decision }) },
      press.label,
    );
  }

  /** Resolves with whether the message answers a question, in words of the owner's own. */
  async reply({ text, reply_to_message }: Message, place: Place): Promise<boolean> {
    if (!text || !reply_to_message) return false;
    const asked = this.#services.store.askedIn(place, reply_to_message.message_id);
    // An operation is decided by its buttons alone.
    if (!asked || asked.question < 0) return false;
    await this.#post(asked, { answer: text }, text);
    return true;
  }

  async #post(asked: Asked, said: { answer?: string; decision?: string }, label: string): Promise<string> {
    const { kernel, signal } = this.#services;
    const body = { id: asked.request_id, ...(asked.question >= 0 && { question: asked.question }), ...said };
    try {
      await whenThere(() => kernel.answerRequest(asked.kernel_chat, body, { signal }), signal);
      this.#close(asked, label);
      return label.slice(0, 200);
    } catch (error) {
      signal.throwIfAborted();
      if (hasStatus(error, 409) || hasStatus(error, 404)) this.#close(asked, 'decided elsewhere');
      return detailOf(error).slice(0, 200);
    }
  }

  /** Takes the buttons away, and says how it ended. */
  #close(asked: Asked, how: string): void {
    const { store, outbox } = this.#services;
    const message = store.outgoing(asked.outgoing);
    store.together(() => {
      if (!store.asked(asked.id)?.open) return;
      store.closeAsked(asked.id);
      if (message?.message_id == null) return;
      const ending = `\n\n→ ${how.slice(0, 300)}`;
      const text = message.body.kind === 'exact' ? message.body.text : '';
      const shown = text.slice(0, MAX_TEXT - ending.length).toWellFormed() + ending;
      store.send(message, { kind: 'exact', text: shown, edit: message.message_id });
    });
    outbox.flush();
  }
}

/** Providers give calls ids that are unique in a chat alone. */
const isOf = (
  asked: Asked,
  { id, chat_id, question }: { id: string; chat_id: string; question: number },
): boolean => asked.request_id === id && asked.kernel_chat === chat_id && asked.question === question;
