/** The surface: takes each update of Telegram once, and says when it needs nobody any more. */
import type { Message, Update } from 'grammy/types';
import { Commands } from './commands.ts';
import { detailOf, hasStatus, isAway, whenThere } from './kernel-answers.ts';
import { mediaOf } from './media.ts';
import { requestOf, SURFACE } from './message.ts';
import type { SurfaceServices } from './services.ts';
import type { Place, TurnRow } from './tables.ts';
import { keyCounts, keyOf } from './teller.ts';
import { type Who, whoSpeaks } from './who.ts';

const CUT_OFF =
  'A message of yours from before was cut off, and may not have been answered: send it again if you like.';
const REFUSAL = 'I only talk to people whom my owner knows.';

export class Surface {
  readonly #services: SurfaceServices;
  readonly #commands: Commands;

  constructor(services: SurfaceServices) {
    this.#services = services;
    this.#commands = new Commands(services, place => this.#newChat(place));
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

  /** Resolves when the update was taken, as `poll` asks it. Waits for a kernel that is away. */
  async take(update: Update): Promise<void> {
    const { store, log, signal, outbox } = this.#services;
    try {
      if (update.message) await this.#message(update.update_id, update.message);
      else if (update.callback_query) {
        await this.#commands.press(update.callback_query);
      } else if (update.stopped_message_generation) {
        // A draft has the number of the update that it answers.
        await this.#commands.stopAnswerTo(update.stopped_message_generation.draft_id);
      }
    } catch (error) {
      signal.throwIfAborted();
      // What fails once fails again: the messages behind it must not wait for ever.
      log.error(`An update could not be taken: ${(error as Error).stack}`);
      if (update.message) {
        store.send(placeOf(update.message), { kind: 'exact', text: `That did not work: ${detailOf(error)}` });
      }
    }
    store.taken(update.update_id, () => {});
    outbox.flush();
  }

  async #message(updateId: number, message: Message): Promise<void> {
    const { settings, me, store } = this.#services;
    const place = placeOf(message);
    const who = whoSpeaks(message, settings, me);
    if (who.kind === 'nobody') {
      if (who.tell && store.refuses(message.from!.id)) store.send(place, { kind: 'text', markdown: REFUSAL });
      return;
    }
    if (await this.#commands.run(updateId, message, place, who)) return;
    if (who.kind === 'master' && (await this.#services.requests.reply(message, place))) return;
    const turn = store.turn(updateId) ?? (await this.#prepare(updateId, message, place, who));
    if (turn) await this.#begin(turn);
  }

  /** Keeps the request of a message before anybody gets it. */
  async #prepare(
    update_id: number,
    message: Message,
    place: Place,
    who: Exclude<Who, { kind: 'nobody' }>,
  ): Promise<TurnRow | undefined> {
    const { store, kernel, signal } = this.#services;
    const media = await mediaOf(message, this.#services);
    const request = await requestOf({ message, who, media }, kernel, signal);
    if (!request) {
      store.send(place, { kind: 'text', markdown: 'I can read text, photos, files and voice notes.' });
      return undefined;
    }
    const kernel_chat = store.chatOf(place) ?? (await this.#newChat(place));
    return store.putTurn({ update_id, ...place, message_id: message.message_id, kernel_chat, request });
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
    const kernel_chat = await this.#newChat(turn);
    const { update_id, chat_id, thread_id, message_id, request } = turn;
    return this.#services.store.putTurn({ update_id, chat_id, thread_id, message_id, kernel_chat, request });
  }

  async #newChat(place: Place): Promise<string> {
    const { kernel, store, signal } = this.#services;
    // Nobody sees the machine from afar: what changes it is asked about.
    const wanted = { shelf: SURFACE, consent: 'ask' } as const;
    const { id } = await whenThere(() => kernel.createChat(wanted, { signal }), signal);
    store.bind(place, id);
    return id;
  }
}

/** The topic counts in forums alone: elsewhere Telegram numbers threads of replies. */
const placeOf = ({ chat, message_thread_id, is_topic_message }: Message): Place => ({
  chat_id: chat.id,
  thread_id: is_topic_message ? (message_thread_id ?? 0) : 0,
});
