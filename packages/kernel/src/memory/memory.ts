/**
 * The memory: what the kernel knows in all chats (MEM-1). A copy is kept in the process, because every turn is told all
 * of it and histories ask for single entries while they are read.
 */
import {
  KernelError,
  type MemoryEmptied,
  type MemoryEntry,
  type MemoryForgotten,
  type Memory as MemoryShown,
  type Settings,
} from '@chat-kernel/protocol';
import { PerKey } from '../base/keyed-queue.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import {
  type ChatRecord,
  type Clock,
  type Log,
  type MemoryRecord,
  type MemoryRef,
  type MemoryWish,
  type Store,
  timestamp,
} from '../ports/index.ts';
import { byAge, changeOf, fresh, publicEntry, rewritten, type Writer } from './entries.ts';
import { charsOf, inRequest, NoRoom, overLimit } from './limits.ts';
import { placesOf } from './places.ts';
import { costOf, NOTHING, shortId, toldOf } from './told.ts';

/** A change of the memory. */
interface Changed {
  /** A text is not remembered any more. */
  lost: boolean;
  /** This kernel made it, and not another one on the database. */
  here: boolean;
}

type MemoryServices = Pick<Store, 'memory' | 'messages' | 'search'>;

export class Memory {
  readonly #store: MemoryServices;
  readonly #clock: Clock;
  readonly #settings: Pick<Settings['memory'], 'max_chars' | 'learn'>;
  readonly #shared: SharedLog | undefined;
  readonly #changes = new PerKey();
  readonly #watchers = new Set<(changed: Changed) => void>();
  #entries: readonly MemoryRecord[] = [];
  #byId: ReadonlyMap<string, MemoryRecord> = new Map();
  #texts: ReadonlySet<string> = new Set();

  /** @param shared tells the kernels on the same database of each other's changes; absent: there are no others */
  constructor(
    store: MemoryServices,
    clock: Clock,
    settings: Pick<Settings['memory'], 'max_chars' | 'learn'>,
    shared?: SharedLog,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#settings = settings;
    this.#shared = shared;
    shared?.onChange('memory', () => this.#changes.run('memory', () => this.#readAnew()));
  }

  /** The oldest first. */
  get entries(): readonly MemoryRecord[] {
    return this.#entries;
  }

  /** The entries as a chat is told them; null where its owner has switched the group `memory` off in it. */
  forChat({ toolset }: Pick<ChatRecord, 'toolset'>): readonly MemoryRecord[] | null {
    return toolset.disabled.includes('memory') ? null : this.#entries;
  }

  /** Whether models that fold are asked what is to be remembered (MEM-4). */
  get learns(): boolean {
    return this.#settings.learn;
  }

  load(): Promise<void> {
    return this.#readAnew();
  }

  /** Calls back after each change. */
  watch(watcher: (changed: Changed) => void): void {
    this.#watchers.add(watcher);
  }

  /** The entries among these that are as they were, as a block for a model; empty where none is. */
  told(refs: readonly MemoryRef[]): string {
    if (refs.length === 0) return NOTHING;
    return toldOf(refs.filter(ref => this.#has(ref)).map(([id]) => this.#byId.get(id) as MemoryRecord));
  }

  /** Whether an entry says exactly this. */
  says(text: string): boolean {
    return this.#texts.has(text.trim());
  }

  shown(): MemoryShown {
    return {
      entries: this.#entries.map(publicEntry),
      chars: charsOf(this.#entries),
      max_chars: this.#settings.max_chars,
      tokens: costOf(this.#entries),
    };
  }

  /** @throws KernelError invalid_value where there is no room */
  async add(text: string): Promise<MemoryEntry> {
    const { changed } = await this.#change(({ now }) => ({ save: [fresh(text, null, now)] }), inRequest);
    return publicEntry(changed[0] as MemoryRecord);
  }

  /** @throws KernelError not_found; invalid_value where there is no room */
  async patch(id: string, text: string): Promise<MemoryEntry> {
    const { changed } = await this.#change(
      ({ now }) => ({ save: [rewritten(this.#entry(id), text, now)] }),
      inRequest,
    );
    return publicEntry(changed[0] as MemoryRecord);
  }

  /** @throws KernelError not_found */
  async forget(id: string): Promise<MemoryForgotten> {
    let gone: MemoryRecord | undefined;
    await this.#change(() => {
      gone = this.#entry(id);
      return { remove: [id] };
    }, inRequest);
    return { deleted: true, id, found_in: await placesOf([gone as MemoryRecord], this.#store) };
  }

  async forgetAll(): Promise<MemoryEmptied> {
    let gone: readonly MemoryRecord[] = [];
    await this.#change(() => {
      gone = this.#entries;
      return { remove: gone.map(({ id }) => id) };
    }, inRequest);
    return { deleted: gone.length, found_in: await placesOf(gone, this.#store) };
  }

  /**
   * Does what a model wants, all of it or nothing; returns the entries that were written, and those before the change.
   * @throws Error a sentence for the model
   */
  wish(
    { add, replace, remove = [] }: MemoryWish,
    writer: Writer,
  ): Promise<{ changed: readonly MemoryRecord[]; before: readonly MemoryRecord[] }> {
    return this.#change(
      ({ now }) => ({
        save: [
          ...(replace === undefined ? [] : [rewritten(this.#named(replace.id), replace.text, now)]),
          // A text that is remembered already is not remembered twice.
          ...(add === undefined || this.says(add) ? [] : [fresh(add, writer, now)]),
        ],
        remove: remove.map(id => this.#named(id).id),
      }),
      sentence => new NoRoom(sentence),
      writer,
    );
  }

  /** Remembers what a model learned at a fold, as far as there is room, and nothing twice (MEM-4). */
  async learn(texts: readonly string[], writer: Writer, log: Pick<Log, 'warn'>): Promise<void> {
    for (const text of texts) {
      await this.wish({ add: text }, writer).catch(err => {
        if (err instanceof NoRoom) return;
        log.warn({ err, chat_id: writer?.chat_id }, 'what was learned at a fold could not be remembered');
      });
    }
  }

  /** The entries of a chat that is gone stay, and lead there no more. */
  async chatDeleted(chatId: string): Promise<void> {
    await this.#change(
      () => ({
        save: this.#entries
          .filter(({ chat_id }) => chat_id === chatId)
          .map(entry => ({ ...entry, chat_id: null, turn_id: null })),
      }),
      inRequest,
    );
  }

  /**
   * Changes come one after the other, so that each is made to what the one before left. Where another kernel has changed
   * an entry meanwhile, the change is planned anew: what was forgotten there stays forgotten.
   */
  #change(
    plan: (at: { now: string }) => { save?: readonly MemoryRecord[]; remove?: readonly string[] },
    refusal: (sentence: string) => Error,
    writer: Writer = null,
  ): Promise<{ changed: readonly MemoryRecord[]; before: readonly MemoryRecord[] }> {
    return this.#changes.run('memory', async () => {
      for (;;) {
        if (this.#shared) await this.#readAnew();
        const before = this.#entries;
        const { save = [], remove = [] } = plan({ now: timestamp(this.#clock) });
        const gone = new Set([...remove, ...save.map(({ id }) => id)]);
        const after = [...before.filter(({ id }) => !gone.has(id)), ...save].sort(byAge);
        const wrong = overLimit(before, after, this.#settings.max_chars);
        if (wrong !== undefined) throw refusal(wrong);
        if (gone.size === 0) return { changed: save, before };
        const change = { ...changeOf(save, this.#byId), remove, ...(writer && { writer }) };
        if (!(await this.#store.memory.change(change))) {
          await this.#readAnew();
          continue;
        }
        this.#shared?.tell({ what: 'memory' });
        const lost = this.#take(after);
        for (const watcher of this.#watchers) watcher({ lost, here: true });
        return { changed: save, before };
      }
    });
  }

  async #readAnew(): Promise<void> {
    const lost = this.#take(await this.#store.memory.list());
    for (const watcher of this.#watchers) watcher({ lost, here: false });
  }

  /** Whether an entry is as it was. */
  #has([id, updated_at]: MemoryRef): boolean {
    return this.#byId.get(id)?.updated_at === updated_at;
  }

  /** Whether something is not remembered any more. */
  #take(entries: readonly MemoryRecord[]): boolean {
    const before = this.#entries;
    this.#entries = entries;
    this.#byId = new Map(entries.map(entry => [entry.id, entry]));
    this.#texts = new Set(entries.map(({ text }) => text));
    return before.some(({ id, updated_at }) => !this.#has([id, updated_at]));
  }

  #entry(id: string): MemoryRecord {
    const entry = this.#byId.get(id);
    if (entry === undefined) throw new KernelError('not_found', 'Nothing of this id is remembered.');
    return entry;
  }

  /** The entry that a model names. @throws Error a sentence for the model */
  #named(name: string): MemoryRecord {
    const found = this.#byId.get(name) ?? this.#entries.find(({ id }) => shortId(id) === name.trim());
    if (found !== undefined) return found;
    throw new Error(`nothing is remembered as ${JSON.stringify(name.slice(0, 100))}. Nothing was changed.`);
  }
}
