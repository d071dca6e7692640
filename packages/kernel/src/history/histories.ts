/** The histories of the chats in use, kept in memory so that a turn does not read them again. */
import type { MessageDraft, Store } from '../ports/index.ts';

/** Roughly this many characters of history stay in memory; the chats longest unused go first. */
const MAX_CHARS = 64 * 1024 * 1024;

/** What the model may be told of a chat. It only grows: whoever derives something from it may keep that. */
export interface History {
  /** Oldest first. */
  readonly messages: readonly MessageDraft[];
  /** The ids of all calls in it. */
  readonly callIds: Set<string>;
}
interface Entry extends History {
  readonly messages: MessageDraft[];
  chars: number;
}

export class Histories {
  readonly #store: Store;
  readonly #entries = new Map<string, Entry>();
  #chars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async load(chatId: string): Promise<History> {
    const known = this.#entries.get(chatId);
    if (known !== undefined) {
      // Last in the map is last to go.
      this.#entries.delete(chatId);
      this.#entries.set(chatId, known);
      return known;
    }
    return this.#set(chatId, await this.#store.messagesFrom(chatId, 1));
  }

  /** Messages were stored at the end of a chat. */
  append(chatId: string, messages: readonly MessageDraft[]): void {
    const entry = this.#entries.get(chatId);
    if (entry === undefined) return;
    entry.messages.push(...messages);
    addCallIds(entry.callIds, messages);
    const chars = charsOf(messages);
    entry.chars += chars;
    this.#chars += chars;
    this.#evict();
  }

  /** A chat is new: its history is known to be these messages. */
  begin(chatId: string): void {
    this.#set(chatId, []);
  }

  /** The stored history of a chat changed in another way. */
  forget(chatId: string): void {
    const entry = this.#entries.get(chatId);
    if (entry === undefined) return;
    this.#chars -= entry.chars;
    this.#entries.delete(chatId);
  }

  #set(chatId: string, messages: MessageDraft[]): History {
    this.forget(chatId);
    const entry: Entry = { messages, callIds: new Set(), chars: charsOf(messages) };
    addCallIds(entry.callIds, messages);
    this.#entries.set(chatId, entry);
    this.#chars += entry.chars;
    this.#evict();
    return entry;
  }

  #evict(): void {
    for (const chatId of this.#entries.keys()) {
      if (this.#chars <= MAX_CHARS || this.#entries.size === 1) return;
      this.forget(chatId);
    }
  }
}

function addCallIds(callIds: Set<string>, messages: readonly MessageDraft[]): void {
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') callIds.add(block.id);
  }
}

function charsOf(messages: readonly MessageDraft[]): number {
  let chars = 0;
  for (const { content } of messages) {
    for (const block of content) {
      // 200: what a block weighs besides its text.
      chars += 200;
      if ('text' in block) chars += block.text.length;
      else if (block.type === 'tool_result') chars += block.output.length;
      else if (block.type === 'tool_use') chars += JSON.stringify(block.input).length;
    }
  }
  return chars;
}
