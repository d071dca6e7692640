/**
 * Manages the memory: what the kernel remembers across all chats (MEM-1). The process keeps a copy, because every turn
 * includes all of it and histories look up single entries.
 */
import {
  type ChatRecord,
  type Clock,
  type FeatureHost,
  KeyedQueue,
  type Store,
  timestamp,
} from '@chat-kernel/kernel';
import type {
  MemoryEmptied,
  MemoryEntry,
  MemoryForgotten,
  Memory as MemoryShown,
} from '@chat-kernel/protocol';
import { KernelError, type Settings } from '@chat-kernel/protocol';
import { byAge, createEntry, rewriteEntry, toMemoryChange, toPublicEntry, type Writer } from './entries.ts';
import { findMentions } from './find-mentions.ts';
import { countChars, describeOverflow, MemoryFullError, toRequestError } from './limits.ts';
import type { MemoryChange, MemoryRecord, MemoryRef, MemoryWish } from './records.ts';
import { EMPTY_MEMORY, estimateMemoryTokens, renderMemory, shortId } from './render.ts';
import type { MemoryStore } from './store.ts';

/** A change of the memory. */
interface Changed {
  /** Whether a text was forgotten, or became a proposal, so that histories must not show it. */
  lost: boolean;
  /** Whether this kernel made the change, not another one on the database. */
  here: boolean;
}

/** A planned change: entries to save, and the rest as it is stored. */
type Plan = { save?: readonly MemoryRecord[] } & Pick<MemoryChange, 'remove' | 'settle' | 'propose'>;

type MemoryServices = { memory: MemoryStore } & Pick<Store, 'messages' | 'search'>;

export class Memory {
  readonly #store: MemoryServices;
  readonly #clock: Clock;
  readonly #settings: Pick<Settings['memory'], 'max_chars' | 'learn'>;
  readonly #shared: FeatureHost['shared'];
  readonly #changes = new KeyedQueue();
  readonly #watchers = new Set<(changed: Changed) => void>();
  #entries: readonly MemoryRecord[] = [];
  #byId: ReadonlyMap<string, MemoryRecord> = new Map();
  #texts: ReadonlySet<string> = new Set();

  /** @param shared connects the kernels on the same database; absent if there are no others */
  constructor(
    store: MemoryServices,
    clock: Clock,
    settings: Pick<Settings['memory'], 'max_chars' | 'learn'>,
    shared?: FeatureHost['shared'],
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#settings = settings;
    this.#shared = shared;
    shared?.onChange('memory', () => this.#changes.run('memory', () => this.#readAnew()));
  }

  /** The entries, the oldest first. */
  get entries(): readonly MemoryRecord[] {
    return this.#entries;
  }

  /** The entries for the context of a chat; null if the owner has switched off the group `memory` in it. */
  forChat({ toolset }: Pick<ChatRecord, 'toolset'>): readonly MemoryRecord[] | null {
    return toolset.disabled.includes('memory') ? null : this.#entries;
  }

  /** Whether models that compact a history also select what to remember (MEM-4). */
  get learns(): boolean {
    return this.#settings.learn;
  }

  load(): Promise<void> {
    return this.#readAnew();
  }

  /** Calls `watcher` after each change. */
  watch(watcher: (changed: Changed) => void): void {
    this.#watchers.add(watcher);
  }

  /** Those of the given entries that are unchanged, as a block for a model; empty if there are none. */
  render(refs: readonly MemoryRef[]): string {
    if (refs.length === 0) return EMPTY_MEMORY;
    return renderMemory(refs.filter(ref => this.#has(ref)).map(([id]) => this.#byId.get(id) as MemoryRecord));
  }

  /** Undefined if there is no entry with this id. */
  get(id: string): MemoryRecord | undefined {
    return this.#byId.get(id);
  }

  /** The entry that a model names. @throws Error a sentence for the model */
  named(name: string): MemoryRecord {
    const found = this.#byId.get(name) ?? this.#entries.find(({ id }) => shortId(id) === name.trim());
    if (found !== undefined) return found;
    throw new Error(
      `there is no memory with the id ${JSON.stringify(name.slice(0, 100))}. Nothing was changed.`,
    );
  }

  /** Whether an entry has exactly this text. */
  says(text: string): boolean {
    return this.#texts.has(text.trim());
  }

  shown(): Omit<MemoryShown, 'proposals'> {
    return {
      entries: this.#entries.map(toPublicEntry),
      chars: countChars(this.#entries),
      max_chars: this.#settings.max_chars,
      tokens: estimateMemoryTokens(this.#entries),
    };
  }

  /** @throws KernelError invalid_value if a limit would be exceeded */
  async add(text: string): Promise<MemoryEntry> {
    const { changed } = await this.change(
      ({ now }) => ({ save: [createEntry(text, null, now)] }),
      toRequestError,
    );
    return toPublicEntry(changed[0] as MemoryRecord);
  }

  /**
   * @param text absent: the entry is unchanged @throws KernelError not_found; invalid_value if a limit would be
   * exceeded
   */
  async patch(id: string, text: string | undefined): Promise<MemoryEntry> {
    let entry: MemoryRecord | undefined;
    const { changed } = await this.change(({ now }) => {
      entry = this.#entry(id);
      return { save: text === undefined ? [] : [rewriteEntry(entry, text, now)] };
    }, toRequestError);
    return toPublicEntry(changed[0] ?? (entry as MemoryRecord));
  }

  /** @throws KernelError not_found */
  async forget(id: string): Promise<MemoryForgotten> {
    let gone: MemoryRecord | undefined;
    await this.change(() => {
      gone = this.#entry(id);
      return { remove: [id] };
    }, toRequestError);
    return { deleted: true, id, found_in: await findMentions([gone as MemoryRecord], this.#store) };
  }

  async forgetAll(): Promise<MemoryEmptied> {
    let gone: readonly MemoryRecord[] = [];
    await this.change(async () => {
      gone = this.#entries;
      const proposals = await this.#store.memory.listProposals();
      return { remove: gone.map(({ id }) => id), settle: proposals.map(({ id }) => id) };
    }, toRequestError);
    return { deleted: gone.length, found_in: await findMentions(gone, this.#store) };
  }

  /**
   * Applies the change that a model requests, completely or not at all; returns the written entries, and all entries
   * before the change.
   * @throws Error a sentence for the model
   */
  wish(
    { add, replace, remove = [] }: MemoryWish,
    writer: Writer,
  ): Promise<{ changed: readonly MemoryRecord[]; before: readonly MemoryRecord[] }> {
    return this.change(
      ({ now }) => ({
        save: [
          ...(replace === undefined ? [] : [rewriteEntry(this.named(replace.id), replace.text, now)]),
          // A text that is already remembered is not added twice.
          ...(add === undefined || this.says(add) ? [] : [createEntry(add, writer, now)]),
        ],
        remove: remove.map(id => this.named(id).id),
      }),
      sentence => new MemoryFullError(sentence),
      writer,
    );
  }

  /**
   * Runs changes one after the other, so that each sees the result of the previous one. If another kernel has changed
   * an entry in the meantime, the change is planned again: what was forgotten there stays forgotten.
   */
  change(
    plan: (at: { now: string }) => Plan | Promise<Plan>,
    refusal: (sentence: string) => Error,
    writer: Writer = null,
  ): Promise<{ changed: readonly MemoryRecord[]; before: readonly MemoryRecord[] }> {
    return this.#changes.run('memory', async () => {
      for (;;) {
        if (this.#shared) await this.#readAnew();
        const before = this.#entries;
        const { save = [], remove = [], ...proposals } = await plan({ now: timestamp(this.#clock) });
        const gone = new Set([...remove, ...save.map(({ id }) => id)]);
        const after = [...before.filter(({ id }) => !gone.has(id)), ...save].sort(byAge);
        const wrong = describeOverflow(before, after, this.#settings.max_chars);
        if (wrong !== undefined) throw refusal(wrong);
        const { settle = [], propose = [] } = proposals;
        if (gone.size + settle.length + propose.length === 0) return { changed: save, before };
        const entries = { ...toMemoryChange(save, this.#byId), remove };
        const change = { ...entries, ...proposals, ...(writer && { writer }) };
        if (!(await this.#store.memory.change(change))) {
          await this.#readAnew();
          continue;
        }
        this.#shared?.publish({ what: 'memory' });
        const lost = this.#take(after);
        for (const watcher of this.#watchers) watcher({ lost: lost || propose.length > 0, here: true });
        return { changed: save, before };
      }
    });
  }

  async #readAnew(): Promise<void> {
    const lost = this.#take(await this.#store.memory.list());
    for (const watcher of this.#watchers) watcher({ lost, here: false });
  }

  /** Whether an entry is unchanged. */
  #has([id, updated_at]: MemoryRef): boolean {
    return this.#byId.get(id)?.updated_at === updated_at;
  }

  /** Replaces the entries. Returns whether a text was forgotten. */
  #take(entries: readonly MemoryRecord[]): boolean {
    const before = this.#entries;
    this.#entries = entries;
    this.#byId = new Map(entries.map(entry => [entry.id, entry]));
    this.#texts = new Set(entries.map(({ text }) => text));
    return before.some(({ id, updated_at }) => !this.#has([id, updated_at]));
  }

  #entry(id: string): MemoryRecord {
    const entry = this.get(id);
    if (entry === undefined) throw new KernelError('not_found', 'There is no memory with this id.');
    return entry;
  }
}
