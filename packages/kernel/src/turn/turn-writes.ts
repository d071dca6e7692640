/** The writes of a turn, in the order of their calls. A write that failed is carried by the next one. */
import { isDeepStrictEqual } from 'node:util';
import type { Usage } from '@chat-kernel/protocol';
import type { Histories } from '../history/histories.ts';
import type { Journal } from '../journal/journal.ts';
import { add, NOTHING_USED } from '../model/pricing.ts';
import {
  type Clock,
  type DaySpend,
  isFenced,
  type NewMessage,
  type Store,
  type TurnChanges,
  type TurnRecord,
  type TurnWrite,
} from '../ports/index.ts';

import { isStoreAway } from './store-away.ts';
import type { TurnLife } from './turn-life.ts';

/** The time that a finished step waits for a store that is away, and the pauses between its attempts (SAFE-5). */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** A write as the turn asks for it; the ids of chat and turn, and the spend, are added. */
type Write = Omit<TurnWrite, 'turn_id' | 'chat_id' | 'spend' | 'days'>;
interface WholeWrite extends Write {
  spent: Spent;
  /** The usage of the turn so far, with this write included. */
  usage: Usage;
}
/** Spend by day; empty where nothing was spent. */
type Spent = ReadonlyMap<string, DaySpend>;

/** The places that a write goes to. */
interface WriteServices {
  store: Pick<Store, 'messages' | 'turns'>;
  histories: Histories;
  journal: Pick<Journal, 'stored'>;
  clock: Clock;
}

/** The parts of a turn that each of its writes carries. */
interface WritingTurn {
  readonly record: Pick<TurnRecord, 'id' | 'chat_id'>;
  readonly model: TurnRecord['model'];
  readonly effort: TurnRecord['effort'];
  readonly usage: Usage;
  readonly life: Pick<TurnLife, 'stored'>;
  readonly epoch: number | undefined;
  /** Called when a write was refused, because the chat has another owner. */
  fence(): void;
  /** An earlier turn, whose writes come first. */
  previousUnstored: { readonly writes: { settle(): Promise<void> } } | undefined;
}

export class TurnWrites {
  readonly #turn: WritingTurn;
  readonly #services: WriteServices;
  #last: Promise<unknown> = Promise.resolve();
  /** The spend since the last write. */
  #spent: Spent = new Map();
  /** To be called once that is stored. */
  #onStored: (() => void)[] = [];
  /** The content of writes that failed, which the next write carries. */
  #unsaved: WholeWrite | null = null;

  constructor(turn: WritingTurn, services: WriteServices) {
    this.#turn = turn;
    this.#services = services;
  }

  /** The changes of the turn's record that the store does not have yet; undefined where it has all. */
  get unsaved(): TurnChanges | undefined {
    return this.#unsaved?.turn;
  }

  /** The messages among them, which readers were told and the store does not have yet. */
  get unsavedMessages(): readonly NewMessage[] {
    return this.#unsaved?.append ?? [];
  }

  /** Adds spend, which the next write stores. @param onStored called then, and where it never will be */
  addSpend(used: DaySpend, onStored?: () => void): void {
    this.#spent = sum(this.#spent, new Map([[used.day, used]]));
    if (onStored) this.#onStored.push(onStored);
  }

  /** Writes in one transaction, together with what earlier writes could not store. */
  write(write: Write): Promise<void> {
    const written = this.#last.then(() => this.#writeNow(write));
    this.#last = written.catch(() => {});
    return written;
  }

  /**
   * As `write`, but waits up to 30 seconds for a store that is away (SAFE-5).
   * @param signal ends the waiting; the content is then carried by the next write
   */
  async writeSurely(write: Write, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#services;
    const until = clock.now() + PATIENCE_MS;
    let attempt = this.write(write);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await attempt;
      } catch (error) {
        if (!isStoreAway(error) || clock.now() >= until) throw error;
        await pauseOf(pause, clock, signal);
        signal?.throwIfAborted();
        attempt = this.settle();
      }
    }
  }

  /** Stores what earlier writes could not, with these changes to it. Rejects where that still fails. */
  async settle(changes: TurnChanges = {}): Promise<void> {
    if (this.unsaved) await this.write({ turn: changes });
  }

  async #writeNow(write: Write): Promise<void> {
    await this.#turn.life.stored;
    const { store, histories, journal } = this.#services;
    const { id: turn_id, chat_id } = this.#turn.record;
    const unsaved = await this.#missing();
    const whole = joined(unsaved, { ...write, spent: this.#spent, usage: this.#turn.usage });
    const onStored = this.#onStored.length;
    this.#spent = new Map();
    this.#unsaved = whole;
    await this.#turn.previousUnstored?.writes.settle();
    const { spent, usage, turn, ...rest } = whole;
    const ends = turn.ended_at !== undefined;
    const { effort, model, epoch } = this.#turn;
    const counts = model !== null && (spent.size > 0 || ends);
    const days = [...spent.values()];
    const written = store.turns.write({
      ...rest,
      // Every write carries these, so that the outcome by id is as fresh as the last write (TURN-12).
      turn: { model, effort, usage, ...turn },
      turn_id,
      chat_id,
      epoch,
      ...(counts && { spend: { ...days.reduce(add, NOTHING_USED), model, turns: ends ? 1 : 0 } }),
      ...(days.length > 0 && { days }),
    });
    await written.catch(error => {
      if (isFenced(error)) this.#giveUp();
      throw error;
    });
    this.#unsaved = null;
    this.#turn.previousUnstored = undefined;
    for (const told of this.#onStored.splice(0, onStored)) told();
    if (whole.append) {
      histories.append(chat_id, whole.append);
      journal.stored(whole.append);
    }
  }

  /** The chat has another owner, who goes on with the turn: nothing is left to be written. */
  #giveUp(): void {
    this.#unsaved = null;
    for (const told of this.#onStored.splice(0)) told();
    this.#turn.fence();
  }

  /** The content that is still unsaved. Null where a write that seemed to fail has reached the store after all. */
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

function pauseOf(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const cancel = clock.after(ms, resolve);
    const over = () => {
      cancel();
      resolve();
    };
    if (signal?.aborted) over();
    else signal?.addEventListener('abort', over, { once: true });
  });
}

/** The two writes made into one. */
function joined(unsaved: WholeWrite | null, next: WholeWrite): WholeWrite {
  if (unsaved === null) return next;
  const append = [...(unsaved.append ?? []), ...(next.append ?? [])];
  return {
    ...unsaved,
    ...next,
    turn: { ...unsaved.turn, ...next.turn },
    ...((unsaved.chat || next.chat) && { chat: { ...unsaved.chat, ...next.chat } }),
    ...(append.length > 0 && { append }),
    spent: sum(unsaved.spent, next.spent),
  };
}

function sum(a: Spent, b: Spent): Spent {
  const both = new Map(a);
  for (const [day, used] of b) {
    const before = both.get(day);
    both.set(day, before === undefined ? used : { ...used, ...add(before, used) });
  }
  return both;
}
