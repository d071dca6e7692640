/** The surface: takes each update of Telegram once, and says when it needs nobody any more. */
import type { Message } from 'grammy/types';
import type { Together } from './albums.ts';
import { Commands } from './commands.ts';
import { Edits } from './edits.ts';
import { detailOf } from './kernel-answers.ts';
import type { Messages } from './message.ts';
import { Posting } from './posting.ts';
import type { SurfaceServices } from './services.ts';
import type { Place } from './tables.ts';
import { whoSpeaks } from './who.ts';

const REFUSAL = 'I only talk to people whom my owner knows.';

export class Surface {
  readonly #services: SurfaceServices;
  readonly #posting: Posting;
  readonly #commands: Commands;
  readonly #edits: Edits;

  constructor(services: SurfaceServices) {
    this.#services = services;
    this.#posting = new Posting(services);
    this.#commands = new Commands(services, place => this.#posting.newChat(place));
    this.#edits = new Edits(services, this.#posting);
  }

  /** Posts what a process before this one had kept and not posted. */
  resume(): Promise<void> {
    return this.#posting.resume();
  }

  /** Resolves when the updates were taken, as `poll` asks it. Waits for a kernel that is away. */
  async take(updates: Together): Promise<void> {
    const { store, log, signal, outbox } = this.#services;
    const [{ update_id, message, edited_message, callback_query, stopped_message_generation: stopped }] =
      updates;
    try {
      if (message) await this.#messages(updates);
      else if (edited_message) await this.#edited(update_id, edited_message);
      else if (callback_query) await this.#commands.press(callback_query);
      // A draft has the number of the update that it answers.
      else if (stopped) await this.#commands.stopAnswerTo(stopped.draft_id);
    } catch (error) {
      signal.throwIfAborted();
      // What fails once fails again: the messages behind it must not wait for ever.
      log.error(`An update could not be taken: ${(error as Error).stack}`);
      const about = message ?? edited_message;
      if (about) {
        store.send(placeOf(about), { kind: 'exact', text: `That did not work: ${detailOf(error)}` });
      }
    }
    for (const each of updates) store.taken(each.update_id, () => {});
    outbox.flush();
  }

  async #messages(updates: Together): Promise<void> {
    const { settings, me, store } = this.#services;
    const messages = updates.map(({ message }) => message as Message) as [Message, ...Message[]];
    const [first] = messages;
    const place = placeOf(first);
    // In an album the words that name the bot stand at one of its parts.
    const all = messages.map(message => whoSpeaks(message, settings, me));
    const who = all.find(({ kind }) => kind !== 'nobody') ?? all[0]!;
    if (who.kind === 'nobody') {
      if (who.tell && store.refuses(first.from!.id)) store.send(place, { kind: 'text', markdown: REFUSAL });
      return;
    }
    const [{ update_id }] = updates;
    if (await this.#commands.run(update_id, first, place, who)) return;
    if (who.kind === 'master' && (await this.#services.requests.reply(first, place))) return;
    const ids = updates.map(each => each.update_id) as [number, ...number[]];
    await this.#posting.post({ updates: ids, messages: messages satisfies Messages, place, who });
  }

  async #edited(update_id: number, message: Message): Promise<void> {
    const { settings, me } = this.#services;
    const who = whoSpeaks(message, settings, me);
    if (who.kind === 'nobody') return;
    await this.#edits.take({ update_id, message, place: placeOf(message), who });
  }
}

/** The topic counts in forums alone: elsewhere Telegram numbers threads of replies. */
const placeOf = ({ chat, message_thread_id, is_topic_message }: Message): Place => ({
  chat_id: chat.id,
  thread_id: is_topic_message ? (message_thread_id ?? 0) : 0,
});
