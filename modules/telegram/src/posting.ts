/** What somebody said, on its way to the kernel: kept before it is posted, posted until it is there, once. */
import type { TurnStart } from '@chat-kernel/module-sdk';
import { detailOf, hasStatus, isAway, whenThere } from './kernel-answers.ts';
import { fileIn, mediaOf } from './media.ts';
import { type Messages, requestOf, SURFACE, wordsIn } from './message.ts';
import type { SurfaceServices } from './services.ts';
import type { Place, TurnRow } from './tables.ts';
import { keyCounts, keyOf } from './teller.ts';
import type { Known } from './who.ts';

const CUT_OFF =
  'A message of yours from before was cut off, and may not have been answered: send it again if you like.';
const DEAF =
  'Nobody writes down what you say here: the model gets it as a file. To change that, name a model that hears (voice.transcription_model in the settings of the kernel).';

interface Incoming {
  /** The first gives the turn its key. */
  updates: readonly [number, ...number[]];
  messages: Messages;
  place: Place;
  who: Known;
}

export class Posting {
  readonly #services: SurfaceServices;

  constructor(services: SurfaceServices) {
    this.#services = services;
  }

  /**
   * Posts what a process before this one had kept and not posted. The kernel knows a key for a day: what is older may
   * have run already, and is not posted again.
   */
  async resume(): Promise<void> {
    const { store, outbox } = this.#services;
    for (const turn of store.unposted()) {
      if (keyCounts(turn)) await this.#begin(turn);
      else {
        store.taken(turn.update_id, () => {
          store.forgetTurn(turn.update_id);
          store.send(turn, { kind: 'text', markdown: CUT_OFF });
        });
      }
    }
    outbox.flush();
  }

  /** Resolves when the kernel has the message, or has refused it. @param change what else the request is to say */
  async post(incoming: Incoming, change = (request: TurnStart) => request): Promise<void> {
    const turn = this.#services.store.turn(incoming.updates[0]) ?? (await this.#prepare(incoming, change));
    if (turn) await this.#begin(turn);
  }

  async newChat(place: Place): Promise<string> {
    const { kernel, store, signal } = this.#services;
    // Nobody sees the machine from afar: what changes it is asked about. The module's own tool is at hand.
    const toolset = { loaded: [SURFACE], disabled: [] };
    const wanted = { shelf: SURFACE, consent: 'ask', toolset } as const;
    const { id } = await whenThere(() => kernel.createChat(wanted, { signal }), signal);
    store.bind(place, id);
    return id;
  }

  /** Keeps the request before anybody gets it. */
  async #prepare(
    { updates, messages, place, who }: Incoming,
    change: (request: TurnStart) => TurnStart,
  ): Promise<TurnRow | undefined> {
    const { store, kernel, signal } = this.#services;
    const media = await mediaOf(messages, this.#services);
    // The settings are the owner's: nobody else can do anything about it.
    if (media.deaf && who.kind === 'master') this.#tellDeaf(place);
    const request = await requestOf({ messages, who, media }, kernel, signal);
    if (!request) {
      store.send(place, { kind: 'text', markdown: 'I can read text, photos, files and voice notes.' });
      return undefined;
    }
    const kernel_chat = store.chatOf(place) ?? (await this.newChat(place));
    const [update_id, ...parts] = updates;
    return store.together(() => {
      for (const part of parts) store.addPart(update_id, part);
      for (const message of messages) {
        const said = { update_id, words: wordsIn(message), file: fileIn(message) };
        store.keepSaid(place, message.message_id, said);
      }
      const { message_id } = messages[0];
      return store.putTurn({ update_id, ...place, message_id, kernel_chat, request: change(request) });
    });
  }

  #tellDeaf(place: Place): void {
    const { store } = this.#services;
    store.together(() => {
      if (store.mark(place, 'deaf_told', true)) store.send(place, { kind: 'exact', text: DEAF });
    });
  }

  /** Posts the message, and notes it once the kernel has it: a kill before that posts it again, under the same key. */
  async #begin(turn: TurnRow): Promise<void> {
    const { store, kernel, teller, signal } = this.#services;
    const { update_id, kernel_chat, request } = turn;
    const stream = kernel.turn(kernel_chat, request, { idempotencyKey: keyOf(update_id), signal });
    try {
      const { turn_id } = await stream.started;
      store.taken(update_id, () => store.turnBegan(update_id, turn_id));
      void teller.tell({ ...turn, turn_id }, stream);
    } catch (error) {
      signal.throwIfAborted();
      if (isAway(error)) return this.#begin(turn);
      // The owner has deleted the chat elsewhere: the conversation goes on in a new one.
      if (hasStatus(error, 404)) return this.#begin(await this.#moved(turn));
      store.taken(update_id, () => {
        store.forgetTurn(update_id);
        store.send(turn, { kind: 'exact', text: `That was not taken: ${detailOf(error)}` });
      });
    }
  }

  async #moved(turn: TurnRow): Promise<TurnRow> {
    const kernel_chat = await this.newChat(turn);
    const { update_id, chat_id, thread_id, message_id, request } = turn;
    return this.#services.store.putTurn({ update_id, chat_id, thread_id, message_id, kernel_chat, request });
  }
}
