/**
 * Finds requests by id: the open ones and the most recent resolved ones. This distinguishes a late answer
 * (already_resolved) from one to an unknown request (unknown_request).
 */
import { invalidValue, KernelError, type Resolution } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';

/** The maximum number of resolved requests that are kept. */
const MAX_HISTORY = 1000;
/** The maximum length of an unknown id in an error, in characters. */
const MAX_SHOWN_CHARS = 200;

/** The fields by which a request is found. */
export interface KnownRequest {
  readonly chat_id: string;
  readonly turn_id: string;
  readonly id: string;
  readonly question: number | undefined;
  /** Null while it is open. */
  resolution: Resolution | null;
}

export class KnownRequests<Entry extends KnownRequest> {
  readonly #byId = new Map<string, Entry[]>();
  /** Oldest first. */
  readonly #resolved = new Set<Entry>();

  add(entry: Entry): void {
    this.#byId.set(entry.id, [...(this.#byId.get(entry.id) ?? []), entry]);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The approval request that came before the execution with the same id (HANDS-3). */
  decided({ id, chat_id }: Entry): Entry | undefined {
    return this.#byId
      .get(id)
      ?.find(each => each.chat_id === chat_id && each.resolution?.decision !== undefined);
  }

  /** Keeps a resolved request for a while. */
  remember(entry: Entry): void {
    this.#resolved.add(entry);
    for (const oldest of this.#resolved) {
      if (this.#resolved.size <= MAX_HISTORY) break;
      this.#forget(oldest);
    }
  }

  #forget(entry: Entry): void {
    this.#resolved.delete(entry);
    const left = this.#byId.get(entry.id)?.filter(other => other !== entry) ?? [];
    if (left.length > 0) this.#byId.set(entry.id, left);
    else this.#byId.delete(entry.id);
  }

  /**
   * Drops resolved requests with this id from other turns of the chat: after a rewind, a call may have the id of a
   * deleted one.
   */
  forgetOtherTurns(id: string, { chat_id, turn_id }: Pick<Entry, 'chat_id' | 'turn_id'>): void {
    for (const entry of this.#byId.get(id) ?? []) {
      if (entry.resolution !== null && entry.chat_id === chat_id && entry.turn_id !== turn_id)
        this.#forget(entry);
    }
  }

  /**
   * The request that an answer refers to. `chatId` is used only if several chats have a request with this id (OP-9).
   * @throws KernelError unknown_request, invalid_value
   */
  find(chatId: string, id: string, question: number | undefined): Entry {
    const named = this.#inOneChat(chatId, this.#byId.get(id) ?? []);
    const last = named.at(-1);
    if (last === undefined) throw unknown(`There is no request ${cutText(id, MAX_SHOWN_CHARS)}.`);
    if (last.question === undefined) return last;
    if (question === undefined && named.length > 1) {
      const detail = 'The call has several questions. Name the one that is answered in question.';
      throw invalidValue('/question', detail);
    }
    const found = named.find(entry => question === undefined || entry.question === question);
    if (found === undefined) throw unknown(`The call ${id} has no question ${question}.`);
    return found;
  }

  /**
   * The requests with one id in one chat. Ids of calls are unique only in their chat; if two chats have the same id,
   * the path of the API determines the chat.
   */
  #inOneChat(chatId: string, entries: Entry[]): Entry[] {
    const inChat = (wanted: string | undefined) => entries.filter(({ chat_id }) => chat_id === wanted);
    const own = inChat(chatId);
    if (own.length > 0) return own;
    const open = new Set(entries.filter(entry => entry.resolution === null).map(({ chat_id }) => chat_id));
    if (open.size > 1)
      throw unknown('Several chats have an open request with this id. Use the path of the chat.');
    return inChat([...open][0] ?? entries.at(-1)?.chat_id);
  }
}

export const unknown = (detail: string): KernelError => new KernelError('unknown_request', detail);
