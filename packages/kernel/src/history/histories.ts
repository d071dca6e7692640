/** Caches the histories of the chats in use, so that a turn does not read them from the store again. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Summary } from '@chat-kernel/protocol';
import { SLICE, slices } from '../base/slices.ts';
import { addOutside, isOfImport } from '../consent/outside.ts';
import { charsOfBlock } from '../model/token-estimate.ts';
import type { Feature, NewMessage, Store, StoredMessage } from '../ports/index.ts';
import { addKnownState, type KnownState } from './known-state.ts';
import { prepareRepair } from './repair.ts';
import { listSqueezed, withStubs } from './squeeze.ts';
import { summaryForModel } from './summary.ts';

/** The size in bytes of a chat without its blocks, and of a block without its text. */
const CHAT_BYTES = 1000;
const BLOCK_BYTES = 400;
/** The size of a character in text with any non-Latin character. */
const CHARACTER_BYTES = 2;

/**
 * The history of a chat that the model may see. Messages are only appended, so values derived from one can be cached.
 */
export interface History {
  /** The messages, oldest first. If older ones were compacted, the first of these contains the summary. */
  readonly messages: readonly NewMessage[];
  /** The summary of older messages; null if none were compacted. */
  readonly summary: string | null;
  /** The ids of all calls in the history. */
  readonly callIds: Set<string>;
  /** The state of the chat (plan and notebook) that the model knows from this history. */
  readonly told: KnownState;
  /** Where words in the history came from that the owner did not write (CONSENT-4). */
  readonly outside: Set<string>;
}
interface Entry extends History {
  messages: NewMessage[];
  bytes: number;
}

const emptyEntry = (summary: string | null): Entry => ({
  messages: [],
  summary,
  callIds: new Set(),
  told: {},
  outside: new Set(),
  bytes: CHAT_BYTES,
});

/** The messages that people and models wrote, without the one that contains the summary. */
export const withoutSummary = ({
  messages,
  summary,
}: Pick<History, 'messages' | 'summary'>): readonly NewMessage[] =>
  summary === null ? messages : messages.slice(1);

export class Histories {
  readonly #store: Pick<Store, 'chats' | 'messages'>;
  readonly #features: readonly Feature[];
  readonly #hasOutsideEffect: (tool: string) => boolean;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  /** Histories that are being read. A change during the read makes the result outdated. */
  readonly #reading = new Map<string, { outdated: boolean; history: Promise<History> }>();
  #bytes = 0;

  /**
   * @param hasOutsideEffect whether another call of the tool would have an external effect again
   * @param maxBytes the approximate limit for all histories: above it, the least recently used chats are evicted first,
   * and the last one is kept
   */
  constructor(
    store: Pick<Store, 'chats' | 'messages'>,
    features: readonly Feature[],
    hasOutsideEffect: (tool: string) => boolean,
    maxBytes: number,
  ) {
    this.#store = store;
    this.#features = features;
    this.#hasOutsideEffect = hasOutsideEffect;
    this.#maxBytes = maxBytes;
  }

  async load(chatId: string): Promise<History> {
    const known = this.#entries.get(chatId);
    if (known !== undefined) {
      // Maps keep the order of insertion, so an entry that is set again is evicted last.
      this.#entries.delete(chatId);
      this.#entries.set(chatId, known);
      return known;
    }
    return this.#reading.get(chatId)?.history ?? this.#read(chatId);
  }

  has(chatId: string): boolean {
    return this.#entries.has(chatId);
  }

  /** Whether a history is in memory now, so that a message that is not stored yet can be read from it. */
  canRead(chatId: string): Promise<boolean> {
    return this.load(chatId).then(
      () => true,
      // The turn reports the error to its readers.
      () => false,
    );
  }

  /** Adds messages that were stored at the end of a chat. */
  append(chatId: string, messages: readonly NewMessage[]): void {
    this.#outdate(chatId);
    const entry = this.#entries.get(chatId);
    if (entry === undefined) return;
    // A truncation or compaction changes earlier messages, so the history is read again.
    if (listSqueezed(messages).length > 0 || messages.some(isFold)) {
      this.forget(chatId);
      return;
    }
    entry.messages.push(...messages.map(each => this.#view(each, { justMade: true })));
    addCallIds(entry.callIds, messages);
    addKnownState(entry.told, messages);
    addOutside(entry.outside, messages);
    const bytes = estimateBytes(messages);
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#evict();
  }

  /** Records that a chat is new and its history empty, so that nothing has to be read. */
  begin(chatId: string): void {
    this.#outdate(chatId);
    this.#set(chatId, emptyEntry(null));
  }

  /** Drops a history that has changed in the store in another way than by appended messages. */
  forget(chatId: string): void {
    this.#outdate(chatId);
    const entry = this.#entries.get(chatId);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    this.#entries.delete(chatId);
  }

  /** Converts all messages again, because a feature now shows them differently. */
  refresh(): void {
    for (const chatId of this.#reading.keys()) this.#outdate(chatId);
    for (const entry of this.#entries.values()) {
      const messages = entry.messages.map(each => this.#view(each));
      // Values derived from a list of messages are cached with the list, so an equal list is kept.
      if (messages.some((each, index) => each !== entry.messages[index])) entry.messages = messages;
    }
  }

  /** A message in the form that models may see. */
  #view(message: NewMessage, { justMade } = { justMade: false }): NewMessage {
    return this.#features.reduce(
      (seen, feature) => feature.viewMessage?.(seen, { justMade }) ?? seen,
      message,
    );
  }

  #outdate(chatId: string): void {
    const reading = this.#reading.get(chatId);
    if (reading) reading.outdated = true;
  }

  #read(chatId: string): Promise<History> {
    const reading = { outdated: false, history: Promise.resolve<History | undefined>(undefined) };
    const history = (async () => {
      try {
        for (;;) {
          reading.outdated = false;
          const entry = await this.#stored(chatId);
          if (!reading.outdated) {
            this.#set(chatId, entry);
            return entry;
          }
        }
      } finally {
        this.#reading.delete(chatId);
      }
    })();
    this.#reading.set(chatId, Object.assign(reading, { history }));
    return history;
  }

  async #stored(chatId: string): Promise<Entry> {
    const summary = (await this.#store.chats.get(chatId))?.summary ?? null;
    const anchor = summary && (await this.#store.messages.get(chatId, summary.upto_message));
    if (!summary || !anchor) return this.#entryOf(await this.#allFrom(chatId, 1), null);
    const { id, chat_id, created_at, status } = anchor;
    const outside = summarySources(summary, anchor);
    const folded: NewMessage = {
      id,
      chat_id,
      role: 'user',
      turn_id: null,
      content: [
        {
          type: 'context',
          text: summaryForModel(summary.text),
          ...(outside.length > 0 && { internal: { outside } }),
        },
      ],
      created_at,
      status,
    };
    const kept = await this.#allFrom(chatId, (anchor.position as number) + 1);
    return this.#entryOf([folded, ...kept], summary.text);
  }

  /** All messages from a position on, read page by page. */
  async #allFrom(chatId: string, position: number): Promise<NewMessage[]> {
    const messages: StoredMessage[] = [];
    for (let next = position; ; next = (messages.at(-1)?.position as number) + 1) {
      const page = await this.#store.messages.listFrom(chatId, next, SLICE);
      messages.push(...page);
      if (page.length < SLICE) return messages;
      await nextTick();
    }
  }

  async #entryOf(stored: readonly NewMessage[], summary: string | null): Promise<Entry> {
    const entry = emptyEntry(summary);
    const squeezed = new Set<string>();
    for await (const slice of slices(stored)) {
      for (const id of listSqueezed(slice)) squeezed.add(id);
      entry.messages.push(...slice.map(each => this.#view(each)));
    }
    entry.messages = withStubs(entry.messages, squeezed, this.#hasOutsideEffect);
    for await (const slice of slices(entry.messages)) {
      addCallIds(entry.callIds, slice);
      addKnownState(entry.told, slice);
      addOutside(entry.outside, slice);
      entry.bytes += estimateBytes(slice);
      prepareRepair(slice);
    }
    return entry;
  }

  #set(chatId: string, entry: Entry): void {
    const before = this.#entries.get(chatId);
    this.#bytes += entry.bytes - (before?.bytes ?? 0);
    this.#entries.delete(chatId);
    this.#entries.set(chatId, entry);
    this.#evict();
  }

  #evict(): void {
    for (const chatId of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes || this.#entries.size === 1) return;
      this.forget(chatId);
    }
  }
}

/** The sources of a summary. An imported summary lists no sources, but its last message names the program. */
const summarySources = (
  { outside = [] }: Pick<Summary, 'outside'>,
  { content }: Pick<NewMessage, 'content'>,
): string[] => [
  ...new Set([...outside, ...content.flatMap(({ internal }) => internal?.outside?.filter(isOfImport) ?? [])]),
];

const isFold = ({ content }: NewMessage): boolean => content[0]?.internal?.compaction !== undefined;

function addCallIds(callIds: Set<string>, messages: readonly NewMessage[]): void {
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') callIds.add(block.id);
  }
}

function estimateBytes(messages: readonly NewMessage[]): number {
  let bytes = 0;
  for (const { content } of messages) {
    for (const block of content) bytes += BLOCK_BYTES + CHARACTER_BYTES * charsOfBlock(block);
  }
  return bytes;
}
