/** The histories of the chats in use, kept in memory so that a turn does not read them from the store again. */

import { charsOfBlock } from '../model/token-estimate.ts';
import type { NewMessage, Store } from '../ports/index.ts';
import { addKnownState, type KnownState } from './known-state.ts';
import { asRemembered, type Remembered } from './remembered.ts';
import { squeezedIn, withStubs } from './squeeze.ts';
import { summaryForModel } from './summary.ts';

/** What a chat costs besides its blocks, and a block besides its text, in bytes. */
const CHAT_BYTES = 1000;
const BLOCK_BYTES = 400;
/** Of text with any character outside of Latin. */
const CHARACTER_BYTES = 2;

/**
 * The history of a chat as the model may see it. Messages are only added to it, so whatever is derived from one may
 * be kept.
 */
export interface History {
  /** The messages, oldest first. Where older ones were folded, the first of these holds the summary. */
  readonly messages: readonly NewMessage[];
  /** The summary of older messages; null where none were folded. */
  readonly summary: string | null;
  /** The ids of all calls in the history. */
  readonly callIds: Set<string>;
  /** The state of the chat (plan and notebook) that the model knows from this history. */
  readonly told: KnownState;
}
interface Entry extends History {
  messages: NewMessage[];
  bytes: number;
}

/** The messages that people and models wrote, without the one that holds the summary. */
export const withoutSummary = ({
  messages,
  summary,
}: Pick<History, 'messages' | 'summary'>): readonly NewMessage[] =>
  summary === null ? messages : messages.slice(1);

export class Histories {
  readonly #store: Pick<Store, 'chats' | 'messages'>;
  readonly #memory: Remembered;
  readonly #hasOutsideEffect: (tool: string) => boolean;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /**
   * @param hasOutsideEffect whether another call of the tool would do something again
   * @param maxBytes of all histories, roughly: above that the chats longest unused go first, and the last one stays
   */
  constructor(
    store: Pick<Store, 'chats' | 'messages'>,
    memory: Remembered,
    hasOutsideEffect: (tool: string) => boolean,
    maxBytes: number,
  ) {
    this.#store = store;
    this.#memory = memory;
    this.#hasOutsideEffect = hasOutsideEffect;
    this.#maxBytes = maxBytes;
  }

  async load(chatId: string): Promise<History> {
    const known = this.#entries.get(chatId);
    if (known !== undefined) {
      // Maps keep the order of insertion, so an entry that is set anew is evicted last.
      this.#entries.delete(chatId);
      this.#entries.set(chatId, known);
      return known;
    }
    return this.#read(chatId);
  }

  has(chatId: string): boolean {
    return this.#entries.has(chatId);
  }

  /** Whether a history is in memory now, so that a message can be read there which is not stored yet. */
  canRead(chatId: string): Promise<boolean> {
    return this.load(chatId).then(
      () => true,
      // The turn tells its readers what is wrong.
      () => false,
    );
  }

  /** Adds messages that were stored at the end of a chat. */
  append(chatId: string, messages: readonly NewMessage[]): void {
    const entry = this.#entries.get(chatId);
    if (entry === undefined) return;
    // A squeeze or a fold changes what came before it, so the history is read anew.
    if (squeezedIn(messages).length > 0 || messages.some(isFold)) {
      this.forget(chatId);
      return;
    }
    entry.messages.push(...messages.map(each => asRemembered(each, this.#memory, { justMade: true })));
    addCallIds(entry.callIds, messages);
    addKnownState(entry.told, messages);
    const bytes = bytesOf(messages);
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#evict();
  }

  /** Notes that a chat is new and its history empty, so that nothing has to be read. */
  begin(chatId: string): void {
    this.#set(chatId, [], null);
  }

  /** Forgets a history that has changed in the store in another way than by messages at its end. */
  forget(chatId: string): void {
    const entry = this.#entries.get(chatId);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    this.#entries.delete(chatId);
  }

  /** Takes out of all histories what is not remembered any more (MEM-2). */
  memoryLost(): void {
    for (const entry of this.#entries.values()) {
      const messages = entry.messages.map(each => asRemembered(each, this.#memory));
      // What is derived from a list of messages is kept with the list, so one that says the same stays.
      if (messages.some((each, index) => each !== entry.messages[index])) entry.messages = messages;
    }
  }

  async #read(chatId: string): Promise<History> {
    const summary = (await this.#store.chats.get(chatId))?.summary ?? null;
    const anchor = summary && (await this.#store.messages.get(chatId, summary.upto_message));
    if (!summary || !anchor) return this.#set(chatId, await this.#store.messages.listFrom(chatId, 1), null);
    const { id, chat_id, created_at, status } = anchor;
    const folded: NewMessage = {
      id,
      chat_id,
      role: 'user',
      turn_id: null,
      content: [{ type: 'context', text: summaryForModel(summary.text) }],
      created_at,
      status,
    };
    const kept = await this.#store.messages.listFrom(chatId, (anchor.position as number) + 1);
    return this.#set(chatId, [folded, ...kept], summary.text);
  }

  #set(chatId: string, stored: NewMessage[], summary: string | null): History {
    this.forget(chatId);
    const told = stored.map(each => asRemembered(each, this.#memory));
    const messages = withStubs(told, new Set(squeezedIn(stored)), this.#hasOutsideEffect);
    const entry: Entry = {
      messages,
      summary,
      callIds: new Set(),
      told: {},
      bytes: CHAT_BYTES + bytesOf(messages),
    };
    addCallIds(entry.callIds, messages);
    addKnownState(entry.told, messages);
    this.#entries.set(chatId, entry);
    this.#bytes += entry.bytes;
    this.#evict();
    return entry;
  }

  #evict(): void {
    for (const chatId of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes || this.#entries.size === 1) return;
      this.forget(chatId);
    }
  }
}

const isFold = ({ content }: NewMessage): boolean => content[0]?.internal?.compaction !== undefined;

function addCallIds(callIds: Set<string>, messages: readonly NewMessage[]): void {
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') callIds.add(block.id);
  }
}

function bytesOf(messages: readonly NewMessage[]): number {
  let bytes = 0;
  for (const { content } of messages) {
    for (const block of content) bytes += BLOCK_BYTES + CHARACTER_BYTES * charsOfBlock(block);
  }
  return bytes;
}
