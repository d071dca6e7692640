/** The writes of one turn, in the order of their calls: what one that failed was to store, the next one carries. */
import { isDeepStrictEqual } from 'node:util';
import type { Usage } from '@chat-kernel/protocol';
import type { Histories } from '../history/histories.ts';
import { add, NOTHING_USED } from '../model/pricing.ts';
import type { DaySpend, Store, TurnChanges, TurnRecord, TurnWrite } from '../ports/index.ts';

/** A write as the turn asks for it; which turn, and what it spent, is added. */
export type Write = Omit<TurnWrite, 'turn_id' | 'chat_id' | 'spend' | 'days'>;
interface Whole extends Write {
  spent: Spent;
  /** All that the turn has spent, this included. */
  usage: Usage;
}
/** By day; empty: nothing. */
type Spent = ReadonlyMap<string, DaySpend>;

/** Where they go. */
interface Places {
  store: Store;
  histories: Histories;
}

/** What of a turn goes into each of its writes. */
interface Writer {
  readonly record: Pick<TurnRecord, 'id' | 'chat_id'>;
  readonly model: TurnRecord['model'];
  readonly effort: TurnRecord['effort'];
  readonly usage: Usage;
  /** A turn whose writes come first. */
  previousUnstored: { settle(): Promise<void> } | undefined;
}

export class TurnWrites {
  readonly #turn: Writer;
  readonly #services: Places;
  #last: Promise<unknown> = Promise.resolve();
  /** Spent since the last write. */
  #spent: Spent = new Map();
  /** What writes that failed were to store. */
  #owed: Whole | null = null;

  constructor(turn: Writer, services: Places) {
    this.#turn = turn;
    this.#services = services;
  }

  /** The changes of the turn's record that the store does not have yet; undefined where it has all. */
  get owed(): TurnChanges | undefined {
    return this.#owed?.turn;
  }

  /** Reaches the disk with the next write. */
  spend(used: DaySpend): void {
    this.#spent = sum(this.#spent, new Map([[used.day, used]]));
  }

  /** One transaction; together with what is owed. */
  write(write: Write): Promise<void> {
    const written = this.#last.then(() => this.#writeNow(write));
    this.#last = written.catch(() => {});
    return written;
  }

  async #writeNow(write: Write): Promise<void> {
    const { store, histories } = this.#services;
    const { id: turn_id, chat_id } = this.#turn.record;
    const owed = await this.#missing();
    const whole = joined(owed, { ...write, spent: this.#spent, usage: this.#turn.usage });
    this.#spent = new Map();
    this.#owed = whole;
    await this.#turn.previousUnstored?.settle();
    const { spent, usage, turn, ...rest } = whole;
    const ends = turn.ended_at !== undefined;
    const { effort, model } = this.#turn;
    const counts = model !== null && (spent.size > 0 || ends);
    const days = [...spent.values()];
    await store.writeTurn({
      ...rest,
      // Whatever is written, the outcome by id is as fresh as that (TURN-12).
      turn: { model, effort, usage, ...turn },
      turn_id,
      chat_id,
      ...(counts && { spend: { ...days.reduce(add, NOTHING_USED), model, turns: ends ? 1 : 0 } }),
      ...(days.length > 0 && { days }),
    });
    this.#owed = null;
    this.#turn.previousUnstored = undefined;
    if (whole.append) histories.append(chat_id, whole.append);
  }

  /** What is owed; nothing, where the write that was told as failed has reached the store: its answer was lost. */
  async #missing(): Promise<Whole | null> {
    if (this.#owed === null) return null;
    const { store, histories } = this.#services;
    const { id, chat_id } = this.#turn.record;
    const { place, append = [], spent, usage } = this.#owed;
    const ids = new Set([place, ...append.map(message => message.id)]);
    const stored = await store.turnMessages(chat_id, id).catch(() => []);
    if (stored.some(message => message.position !== null && ids.has(message.id))) {
      histories.forget(chat_id);
      return null;
    }
    if (spent.size === 0) return this.#owed;
    // One without messages may be written twice; its bill may not.
    const record = await store.turn(chat_id, id).catch(() => undefined);
    const billed = isDeepStrictEqual(record?.usage, usage);
    return billed ? { ...this.#owed, spent: new Map() } : this.#owed;
  }
}

/** Both writes as one. */
function joined(owed: Whole | null, next: Whole): Whole {
  if (owed === null) return next;
  const append = [...(owed.append ?? []), ...(next.append ?? [])];
  return {
    ...owed,
    ...next,
    turn: { ...owed.turn, ...next.turn },
    ...((owed.chat || next.chat) && { chat: { ...owed.chat, ...next.chat } }),
    ...(append.length > 0 && { append }),
    spent: sum(owed.spent, next.spent),
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
