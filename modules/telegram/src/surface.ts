/** Handles each Telegram update once. */
import { errorDetail, GivenUp } from '@chat-kernel/module-sdk/surface';
import type { Message } from 'grammy/types';
import type { Together } from './albums.ts';
import { Commands } from './commands.ts';
import { takeEdit } from './edits.ts';
import { UNREADABLE, updateWork } from './given-up.ts';
import { whoSpeaks } from './identify-sender.ts';
import { TelegramInbox } from './inbox.ts';
import type { Messages } from './message.ts';
import type { SurfaceServices } from './surface-services.ts';
import type { Conversation } from './tables.ts';

const REFUSAL = 'This bot is private.';

export class Surface {
  readonly #services: SurfaceServices;
  readonly #posting: TelegramInbox;
  readonly #commands: Commands;

  constructor(services: SurfaceServices) {
    this.#services = services;
    this.#posting = new TelegramInbox(services);
    this.#commands = new Commands(services, place => this.#posting.newChat(place));
  }

  /** Posts the messages that an earlier process stored but did not post. */
  resume(): Promise<void> {
    return this.#posting.resume();
  }

  /** Resolves when the updates are handled. Waits while the kernel is unreachable. */
  async take(updates: Together): Promise<void> {
    const { store, log, signal, outbox, guard } = this.#services;
    const [{ update_id, message, edited_message }] = updates;
    const work = updateWork(update_id);
    try {
      await guard.run(work, () => this.#handle(updates));
    } catch (error) {
      signal.throwIfAborted();
      // A permanent failure must not block the messages behind it.
      const about = message ?? edited_message;
      if (error instanceof GivenUp) {
        log.error(`Update ${update_id} is not handled: reading it ended the process twice.`);
        if (about) this.#reportUnreadable(about);
      } else {
        log.error(`Processing an update failed: ${(error as Error).stack}`);
        if (about) {
          store.send(toConversation(about), { kind: 'exact', text: `That failed: ${errorDetail(error)}` });
        }
      }
    }
    for (const each of updates) store.markHandled(each.update_id, () => {});
    guard.end(work);
    outbox.flush();
  }

  async #handle(updates: Together): Promise<void> {
    const [{ update_id, message, edited_message, callback_query, stopped_message_generation: stopped }] =
      updates;
    if (message) await this.#messages(updates);
    else if (edited_message) await this.#edited(update_id, edited_message);
    else if (callback_query) await this.#commands.press(callback_query);
    // The id of a draft is the number of the update that it answers.
    else if (stopped) await this.#commands.stopAnswerTo(stopped.draft_id);
  }

  #reportUnreadable(message: Message): void {
    const { settings, me, store } = this.#services;
    if (whoSpeaks(message, settings, me).kind === 'nobody') return;
    const { message_id: reply_to } = message;
    store.send(toConversation(message), { kind: 'text', markdown: UNREADABLE, reply_to, notice: true });
  }

  async #messages(updates: Together): Promise<void> {
    const { settings, me, store } = this.#services;
    const messages = updates.map(({ message }) => message as Message) as [Message, ...Message[]];
    const [first] = messages;
    const place = toConversation(first);
    // In an album, any part can mention the bot.
    const all = messages.map(message => whoSpeaks(message, settings, me));
    const who = all.find(({ kind }) => kind !== 'nobody') ?? all[0]!;
    if (who.kind === 'nobody') {
      if (who.tell && store.recordRefusal(first.from!.id))
        store.send(place, { kind: 'text', markdown: REFUSAL });
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
    const edit = { update_id, message, place: toConversation(message), who };
    await takeEdit(edit, this.#services, this.#posting);
  }
}

/** Use the thread id only in forums: elsewhere, Telegram uses it for reply threads. */
const toConversation = ({ chat, message_thread_id, is_topic_message }: Message): Conversation => ({
  chat_id: chat.id,
  thread_id: is_topic_message ? (message_thread_id ?? 0) : 0,
});
