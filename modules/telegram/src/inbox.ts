/** Posts messages to the kernel: stores each one first, then retries until the kernel has it, exactly once. */
import type { TurnStart } from '@chat-kernel/module-sdk';
import { errorDetail, KeyExpired, postTurn, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import { updateKey } from './answer-stream.ts';
import { updateWork } from './given-up.ts';
import type { Known } from './identify-sender.ts';
import { fileIn, loadMedia } from './media.ts';
import { buildTurnStart, type Messages, messageText, SURFACE } from './message.ts';
import type { SurfaceServices } from './surface-services.ts';
import type { Body, Conversation, TurnRow } from './tables.ts';

const CUT_OFF =
  'An earlier message of yours was interrupted and may not have been answered. Send it again if you still need an answer.';
const NO_MODEL =
  'Voice messages are not transcribed: the model gets them as files. To transcribe them, set voice.transcription_model in the settings of Chat Kernel.';

interface Incoming {
  /** The key of the turn is derived from the first one. */
  updates: readonly [number, ...number[]];
  messages: Messages;
  place: Conversation;
  who: Known;
}

export class TelegramInbox {
  readonly #services: SurfaceServices;

  constructor(services: SurfaceServices) {
    this.#services = services;
  }

  /** Posts the messages that an earlier process stored but did not post. */
  async resume(): Promise<void> {
    const { store, outbox } = this.#services;
    for (const turn of store.unposted()) await this.#begin(turn);
    outbox.flush();
  }

  /** Resolves when the kernel has accepted or rejected the message. @param change adds to the request */
  async post(incoming: Incoming, change = (request: TurnStart) => request): Promise<void> {
    const turn = this.#services.store.turn(incoming.updates[0]) ?? (await this.#prepare(incoming, change));
    if (turn) await this.#begin(turn);
  }

  async newChat(place: Conversation): Promise<string> {
    const { kernel, store, signal } = this.#services;
    // Remote users cannot see the machine, so changes need approval. The module's own tool is loaded.
    const toolset = { loaded: [SURFACE], disabled: [] };
    const wanted = { shelf: SURFACE, consent: 'ask', toolset } as const;
    const { id } = await retryUntilAvailable(() => kernel.createChat(wanted, { signal }), signal);
    store.bind(place, id);
    return id;
  }

  /** Stores the request before it is sent. */
  async #prepare(
    { updates, messages, place, who }: Incoming,
    change: (request: TurnStart) => TurnStart,
  ): Promise<TurnRow | undefined> {
    const { store, kernel, signal } = this.#services;
    const media = await loadMedia(messages, this.#services);
    // Only the owner can change the settings, so only the owner is notified.
    if (media.noModel && who.kind === 'master') this.#explainNoModel(place);
    const request = await buildTurnStart({ messages, who, media }, kernel, signal);
    if (!request) {
      store.send(place, { kind: 'text', markdown: 'This bot accepts text, photos, files and voice notes.' });
      return undefined;
    }
    const kernel_chat = store.findChat(place) ?? (await this.newChat(place));
    const [update_id, ...parts] = updates;
    return store.transaction(() => {
      for (const part of parts) store.addPart(update_id, part);
      for (const message of messages) {
        const said = { update_id, words: messageText(message), file: fileIn(message) };
        store.saveReceived(place, message.message_id, said);
      }
      const { message_id } = messages[0];
      return store.putTurn({ update_id, ...place, message_id, kernel_chat, request: change(request) });
    });
  }

  #explainNoModel(place: Conversation): void {
    const { store } = this.#services;
    store.transaction(() => {
      if (store.mark(place, 'deaf_told', true)) store.send(place, { kind: 'exact', text: NO_MODEL });
    });
  }

  /**
   * Posts the message, then records that the kernel has it. After a crash in between, it is posted again under the same
   * key.
   */
  async #begin(kept: TurnRow): Promise<void> {
    const { store, kernel, teller, guard, signal } = this.#services;
    const { update_id } = kept;
    // The message is read. From here on, only the kernel is awaited.
    guard.pause(updateWork(update_id));
    let turn = kept;
    const newChat = async () => {
      turn = await this.#moved(turn);
      return turn.kernel_chat;
    };
    try {
      const stream = await retryUntilAvailable(() => {
        const { kernel_chat: chat_id, request, taken_at: since } = turn;
        return postTurn({ chat_id, request, key: updateKey(update_id), since }, { kernel, signal, newChat });
      }, signal);
      const { turn_id } = await stream.started;
      store.markHandled(update_id, () => store.setTurnId(update_id, turn_id));
      void teller.deliver({ ...turn, turn_id }, stream);
    } catch (error) {
      signal.throwIfAborted();
      const body: Body =
        error instanceof KeyExpired
          ? { kind: 'text', markdown: CUT_OFF }
          : { kind: 'exact', text: `Message rejected: ${errorDetail(error)}` };
      store.markHandled(update_id, () => {
        store.forgetTurn(update_id);
        store.send(turn, body);
      });
    }
  }

  /** Another client has deleted the chat, so the conversation continues in a new one. */
  async #moved(turn: TurnRow): Promise<TurnRow> {
    const kernel_chat = await this.newChat(turn);
    const { update_id, chat_id, thread_id, message_id, request } = turn;
    return this.#services.store.putTurn({ update_id, chat_id, thread_id, message_id, kernel_chat, request });
  }
}
