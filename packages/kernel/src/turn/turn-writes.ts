/** Writes the changes of a turn in the order of the calls. The next write also contains the content of failed ones. */
import { isDeepStrictEqual } from 'node:util';
import { pause, RetryBackoff } from '@chat-kernel/base';
import type { Usage } from '@chat-kernel/protocol';
import type { Ownership } from '../fleet/ownership.ts';
import type { Histories } from '../history/histories.ts';
import type { Journal } from '../journal/journal.ts';
import { add, NOTHING_USED } from '../model/pricing.ts';
import {
  type Clock,
  type DaySpend,
  type HeldChat,
  isFenced,
  type NewMessage,
  type Store,
  type TurnChanges,
  type TurnRecord,
  type TurnWrite,
} from '../ports/index.ts';
import { isStorageUnavailable, RESTARTED } from './ending.ts';
import type { StepBuilder } from './step-builder.ts';
import type { TurnLife } from './turn-life.ts';
import type { TurnModel } from './turn-model.ts';

/** The time for which a finished step waits for an unavailable store, and the pauses between attempts (SAFE-5). */
const MAX_RETRY_MS = 30_000;
const PAUSES = { firstMs: 100, maxMs: 2000 };

interface WriteServices {
  store: Pick<Store, 'messages' | 'turns'>;
  histories: Histories;
  journal: Pick<Journal, 'stored'>;
  ownership: Pick<Ownership, 'refused'>;
  clock: Clock;
}

/** The parts of a turn that each of its writes uses. */
interface WritingTurn {
  readonly record: Pick<TurnRecord, 'id' | 'chat_id'>;
  readonly held: HeldChat;
  readonly model: Pick<TurnModel, 'id' | 'usage'>;
  readonly effort: TurnRecord['effort'];
  readonly life: Pick<TurnLife, 'isFenced' | 'fence'>;
  readonly step: Pick<StepBuilder, 'messages'>;
}

/** A turn that has ended for its readers, but whose end is not stored yet. */
export interface UnstoredTurn {
  readonly record: TurnRecord;
  readonly model: Pick<TurnModel, 'id' | 'usage'>;
  readonly writes: TurnWrites;
}

export class TurnWrites {
  /** An earlier turn of the chat whose end is not stored yet; its writes come first. */
  previous: UnstoredTurn | undefined;
  readonly #turn: WritingTurn;
  readonly #services: WriteServices;
  #last: Promise<unknown> = Promise.resolve();
  #lastCheckpoint: Promise<unknown> = Promise.resolve();
  #nextCheckpoint: Promise<void> | undefined;
  /** The spend since the last write. */
  #spent: Spent = new Map();
  /** Callbacks to call once that is stored. */
  #onStored: (() => void)[] = [];
  /** The content of failed writes, which the next write contains. */
  #unsaved: WholeWrite | null = null;

  constructor(turn: WritingTurn, services: WriteServices) {
    this.#turn = turn;
    this.#services = services;
  }

  /** The changes of the turn's record that are not stored yet; undefined if all are. */
  get unsaved(): TurnChanges | undefined {
    return this.#unsaved?.turn;
  }

  /** The messages among them, which were published but are not stored yet. */
  get unsavedMessages(): readonly NewMessage[] {
    return this.#unsaved?.append ?? [];
  }

  /**
   * Adds spend, which the next write stores.
   * @param onStored called then, or when it is known that it will never be stored
   */
  addSpend(used: DaySpend, onStored?: () => void): void {
    this.#spent = addSpent(this.#spent, new Map([[used.day, used]]));
    if (onStored) this.#onStored.push(onStored);
  }

  /** Writes in one transaction, together with the content of failed writes. */
  write(write: Write): Promise<void> {
    const written = this.#last.then(() => this.#writeNow(write));
    this.#last = written.catch(() => {});
    return written;
  }

  /**
   * Like `write`, but waits up to 30 seconds for an unavailable store (SAFE-5).
   * @param signal ends the wait; the next write then contains the content
   */
  async writeSurely(write: Write, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#services;
    const until = clock.now() + MAX_RETRY_MS;
    let attempt = this.write(write);
    for (const backoff = new RetryBackoff(PAUSES); ; ) {
      try {
        return await attempt;
      } catch (error) {
        if (!isStorageUnavailable(error) || clock.now() >= until) throw error;
        await pause(backoff.nextMs(), { clock, signal });
        attempt = this.settle();
      }
    }
  }

  /**
   * Stores the unfinished step. A pending write includes everything present when it begins, so later callers share it.
   */
  checkpoint(): Promise<void> {
    this.#nextCheckpoint ??= this.#lastCheckpoint.then(() => {
      this.#nextCheckpoint = undefined;
      const { messages } = this.#turn.step;
      // If the step has been stored since, only its spend still needs to be written.
      const checkpoint = messages.length === 0 ? {} : { checkpoint: structuredClone(messages) };
      const written = this.write({ turn: checkpoint });
      this.#lastCheckpoint = written.catch(() => {});
      return written;
    });
    return this.#nextCheckpoint;
  }

  /** Ends the turn without writing or publishing anything more: its chat belongs to another kernel. */
  fence(): void {
    const { held, life } = this.#turn;
    if (life.isFenced) return;
    life.fence(RESTARTED);
    this.#services.ownership.refused(held);
  }

  /** Stores the content of failed writes with these changes to it. Rejects if that fails again. */
  async settle(changes: TurnChanges = {}): Promise<void> {
    if (this.unsaved) await this.write({ turn: changes });
  }

  async #writeNow(write: Write): Promise<void> {
    const { store, histories, journal } = this.#services;
    const { id: turn_id, chat_id } = this.#turn.record;
    const unsaved = await this.#missing();
    const whole = mergeWrites(unsaved, { ...write, spent: this.#spent, usage: this.#turn.model.usage });
    const onStored = this.#onStored.length;
    this.#spent = new Map();
    this.#unsaved = whole;
    await this.previous?.writes.settle();
    const { spent, usage, turn, ...rest } = whole;
    const ends = turn.ended_at !== undefined;
    const {
      effort,
      model: { id: model },
    } = this.#turn;
    const counts = model !== null && (spent.size > 0 || ends);
    const days = [...spent.values()];
    const written = store.turns.write({
      ...rest,
      // Every write contains these, so that the outcome by id is as current as the last write (TURN-12).
      turn: { model, effort, usage, ...turn },
      turn_id,
      ...this.#turn.held,
      ...(counts && { spend: { ...days.reduce(add, NOTHING_USED), model, turns: ends ? 1 : 0 } }),
      ...(days.length > 0 && { days }),
    });
    await written.catch(error => {
      if (isFenced(error)) this.#giveUp();
      throw error;
    });
    this.#unsaved = null;
    this.previous = undefined;
    for (const callback of this.#onStored.splice(0, onStored)) callback();
    if (whole.append) {
      histories.append(chat_id, whole.append);
      journal.stored(whole.append);
    }
  }

  /** Discards everything unsaved: the chat has another owner, which continues the turn. */
  #giveUp(): void {
    this.#unsaved = null;
    for (const callback of this.#onStored.splice(0)) callback();
    this.fence();
  }

  /** The content that is still unsaved. Null if a write that seemed to fail has reached the store after all. */
  async #missing(): Promise<WholeWrite | null> {
    if (this.#unsaved === null) return null;
    const { store, histories, journal } = this.#services;
    const { id, chat_id } = this.#turn.record;
    const { place, append = [], spent, usage } = this.#unsaved;
    const ids = new Set([place, ...append.map(message => message.id)]);
    const stored = await store.messages.listOfTurn(chat_id, id).catch(() => []);
    if (stored.some(message => message.position !== null && ids.has(message.id))) {
      histories.forget(chat_id);
      journal.stored(append);
      return null;
    }
    if (spent.size === 0) return this.#unsaved;
    // Content without messages may be written twice, but spend must be counted once.
    const record = await store.turns.get(chat_id, id).catch(() => undefined);
    const billed = isDeepStrictEqual(record?.usage, usage);
    return billed ? { ...this.#unsaved, spent: new Map() } : this.#unsaved;
  }
}

/** A write as requested by the turn; the ids of chat and turn and the spend are added. */
export type Write = Omit<TurnWrite, 'turn_id' | 'chat_id' | 'spend' | 'days'>;
export interface WholeWrite extends Write {
  spent: Spent;
  /** The usage of the turn so far, including this write. */
  usage: Usage;
}
/** Spend by day; empty if nothing was spent. */
export type Spent = ReadonlyMap<string, DaySpend>;

function mergeWrites(unsaved: WholeWrite | null, next: WholeWrite): WholeWrite {
  if (unsaved === null) return next;
  const append = [...(unsaved.append ?? []), ...(next.append ?? [])];
  return {
    ...unsaved,
    ...next,
    turn: { ...unsaved.turn, ...next.turn },
    ...((unsaved.chat || next.chat) && { chat: { ...unsaved.chat, ...next.chat } }),
    ...(append.length > 0 && { append }),
    spent: addSpent(unsaved.spent, next.spent),
  };
}

function addSpent(a: Spent, b: Spent): Spent {
  const both = new Map(a);
  for (const [day, used] of b) {
    const before = both.get(day);
    both.set(day, before === undefined ? used : { ...used, ...add(before, used) });
  }
  return both;
}
