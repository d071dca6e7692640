/** Caches the histories of the chats in use, so that a turn does not read them from the store again. */
import type { Feature, NewMessage, Store } from '../ports/index.ts';
import { emptyHistory, extendHistory, type GrowingHistory, type History, readHistory } from './history.ts';
import { listSqueezed } from './squeeze.ts';

export class Histories {
  readonly #store: Pick<Store, 'chats' | 'messages'>;
  readonly #features: readonly Feature[];
  readonly #hasOutsideEffect: (tool: string) => boolean;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, GrowingHistory>();
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

  /** Adds messages that were stored at the end of a chat. */
  append(chatId: string, messages: readonly NewMessage[]): void {
    this.#outdate(chatId);
    const entry = this.#entries.get(chatId);
    // A read between the commit and this call has found them already.
    if (entry === undefined || entry.messages.at(-1)?.id === messages.at(-1)?.id) return;
    // A truncation or compaction changes earlier messages, so the history is read again.
    if (listSqueezed(messages).length > 0 || messages.some(isFold)) {
      this.forget(chatId);
      return;
    }
    const before = entry.bytes;
    const seen = messages.map(each => this.#view(each, { justMade: true }));
    extendHistory(entry, messages, seen);
    this.#bytes += entry.bytes - before;
    this.#evict();
  }

  /** Records that a chat is new and its history empty, so that nothing has to be read. */
  begin(chatId: string): void {
    this.#outdate(chatId);
    this.#set(chatId, emptyHistory());
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
          const entry = await readHistory(chatId, {
            store: this.#store,
            view: each => this.#view(each),
            hasOutsideEffect: this.#hasOutsideEffect,
          });
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

  #set(chatId: string, entry: GrowingHistory): void {
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

const isFold = ({ content }: NewMessage): boolean => content[0]?.internal?.compaction !== undefined;
