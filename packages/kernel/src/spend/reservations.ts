/** What trips to the provider may cost while they are under way, so that those that start together do not pass a cap. */
import { newId } from '../base/ids.ts';
import { Upkeep } from '../fleet/upkeep.ts';
import type { Clock, FleetStore, SpendStanding } from '../ports/index.ts';
import { type CapStatus, isOfAll } from './caps.ts';
import type { Sum } from './spend-totals.ts';

/** A place under the caps that a trip has taken. */
export interface Reservation {
  /** The trip is over and its cost counted. Returns what to call once that is stored; undefined: nothing. */
  spent(): (() => void) | undefined;
  /** Nothing was spent, or the cost is stored already. Does nothing behind `spent`. */
  free(): void;
}

/** Where nothing is capped. */
export const NO_RESERVATION: Reservation = { spent: () => undefined, free: () => {} };

/** Whose trip it is, and what it may cost. */
export interface Reserved {
  /** Null: that of no turn. */
  turn_id: string | null;
  /** Null: that of no chat. */
  chat_id: string | null;
  cost: Sum;
}

/** What the caps of all kernels together leave; null where they are this kernel's alone. */
type Standing = SpendStanding | null;

export class Reservations {
  readonly #fleet: Pick<FleetStore, 'freeSpend' | 'reserveSpend'> | null;
  readonly #onFree: () => void;
  /** Those of this kernel. */
  readonly #open = new Set<Reserved>();
  /** Of these the cost is counted here, and other kernels may not see it yet. */
  readonly #unstored = new Set<Reserved>();
  /** Ids in the database whose trips are over. Others wait for these rows to go. */
  readonly #over = new Set<string>();
  readonly #freeing: Upkeep;

  /** @param onFree called when there may be more room */
  constructor(
    fleet: Pick<FleetStore, 'freeSpend' | 'reserveSpend'> | null,
    clock: Pick<Clock, 'after'>,
    onFree: () => void,
  ) {
    this.#fleet = fleet;
    this.#onFree = onFree;
    this.#freeing = new Upkeep(clock, async () => {
      for (const id of this.#over) {
        await fleet?.freeSpend(id);
        this.#over.delete(id);
      }
    });
  }

  /**
   * Whether a trip may begin under a cap that is not reached: it fits, or is alone. An estimate that is too high refuses
   * nothing that the cap would allow.
   */
  fits(cap: CapStatus, wanted: Reserved, standing: Standing): boolean {
    const others = [...this.#open].filter(reserved => counts(cap, reserved));
    const elsewhere = isOfAll(cap.of) ? standing?.reserved : undefined;
    if (others.length === 0 && (elsewhere?.count ?? 0) === 0) return true;
    const { unit } = cap;
    // What others have stored meanwhile may hide what is not stored here yet.
    const unstored = isOfAll(cap.of) ? [...this.#unstored] : [];
    const reserved = [...others, ...unstored].reduce(
      (sum, { cost }) => sum + cost[unit],
      elsewhere?.[unit] ?? 0,
    );
    return cap.spent + reserved + wanted.cost[unit] <= cap.cap;
  }

  /** Reserves. Undefined where another kernel has reserved something since the standing was read. */
  async take(wanted: Reserved, standing: Standing): Promise<Reservation | undefined> {
    const id = newId();
    // At once, since others of this kernel look while the database is asked.
    this.#open.add(wanted);
    try {
      if (standing === null || (await this.#fleet?.reserveSpend(id, wanted.cost, standing.version)))
        return this.#reservation(wanted, standing === null ? null : id);
    } catch (error) {
      this.#close(wanted);
      // The row may be there all the same, where only the answer was lost.
      this.#freeShared(id);
      throw error;
    }
    this.#close(wanted);
    return undefined;
  }

  /** @param sharedId its id in the database; null: it is not there */
  #reservation(reserved: Reserved, sharedId: string | null): Reservation {
    let isOver = false;
    const end = (): boolean => {
      const isFirst = !isOver;
      isOver = true;
      if (isFirst) this.#close(reserved);
      return isFirst;
    };
    const give = () => {
      this.#unstored.delete(reserved);
      this.#onFree();
      if (sharedId !== null) this.#freeShared(sharedId);
    };
    return {
      spent: () => {
        if (!end() || sharedId === null) return undefined;
        this.#unstored.add(reserved);
        return give;
      },
      free: () => void (end() && give()),
    };
  }

  /** Frees a row of the database, again until that succeeds. */
  #freeShared(id: string): void {
    this.#over.add(id);
    this.#freeing.wish();
  }

  #close(reserved: Reserved): void {
    this.#open.delete(reserved);
    this.#onFree();
  }
}

/** Whether what is reserved counts for a cap. */
function counts({ scope, period }: CapStatus, { turn_id, chat_id }: Reserved): boolean {
  if (scope === 'turn') return turn_id === period;
  return scope !== 'chat' || chat_id === period;
}
