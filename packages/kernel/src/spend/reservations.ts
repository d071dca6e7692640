/**
 * Reserves the possible cost of provider requests in progress, so that requests that start together do not exceed a
 * cap.
 */
import { newId } from '../base/ids.ts';
import { CoalescedJob } from '../fleet/coalesced-job.ts';
import type { Clock, FleetStore, SpendStanding } from '../ports/index.ts';
import { type CapStatus, isOfAll } from './caps.ts';
import type { Sum } from './spend-totals.ts';

/** The reserved amount of a provider request. */
export interface Reservation {
  /**
   * Ends the reservation: the request is over and its cost is counted. Returns a function to call once the cost is
   * stored; undefined if there is none.
   */
  spent(): (() => void) | undefined;
  /** Releases the reservation because nothing was spent or the cost is already stored. Does nothing after `spent`. */
  free(): void;
}

/** The reservation if there are no caps. */
export const NO_RESERVATION: Reservation = { spent: () => undefined, free: () => {} };

/** The origin of a provider request, and its possible cost. */
export interface Reserved {
  /** Null: outside of turns. */
  turn_id: string | null;
  /** Null: outside of chats. */
  chat_id: string | null;
  cost: Sum;
}

/** The spend and reservations of all kernels; null if the caps apply only to this kernel. */
type Standing = SpendStanding | null;

export class Reservations {
  readonly #fleet: Pick<FleetStore, 'freeSpend' | 'reserveSpend'> | null;
  readonly #onFree: () => void;
  /** The reservations of this kernel. */
  readonly #open = new Set<Reserved>();
  /** Those whose cost is counted on this kernel but possibly not visible to other kernels yet. */
  readonly #unstored = new Set<Reserved>();
  /** Ids in the database of ended requests. Others wait until these rows are deleted. */
  readonly #over = new Set<string>();
  readonly #freeing: CoalescedJob;

  /** @param onFree called when more budget may be available */
  constructor(
    fleet: Pick<FleetStore, 'freeSpend' | 'reserveSpend'> | null,
    clock: Pick<Clock, 'after'>,
    onFree: () => void,
  ) {
    this.#fleet = fleet;
    this.#onFree = onFree;
    this.#freeing = new CoalescedJob(clock, async () => {
      for (const id of this.#over) {
        await fleet?.freeSpend(id);
        this.#over.delete(id);
      }
    });
  }

  /**
   * Whether a request may begin under a cap that is not reached: it fits, or no other is in progress. An estimate that
   * is too high rejects nothing that the cap would permit.
   */
  fits(cap: CapStatus, wanted: Reserved, standing: Standing): boolean {
    const others = [...this.#open].filter(reserved => counts(cap, reserved));
    const elsewhere = isOfAll(cap.of) ? standing?.reserved : undefined;
    if (others.length === 0 && (elsewhere?.count ?? 0) === 0) return true;
    const { unit } = cap;
    // Spend that others have stored since may hide spend that is not stored on this kernel yet.
    const unstored = isOfAll(cap.of) ? [...this.#unstored] : [];
    const reserved = [...others, ...unstored].reduce(
      (sum, { cost }) => sum + cost[unit],
      elsewhere?.[unit] ?? 0,
    );
    return cap.spent + reserved + wanted.cost[unit] <= cap.cap;
  }

  /** Reserves. Undefined if another kernel has reserved something since the standing was read. */
  async take(wanted: Reserved, standing: Standing): Promise<Reservation | undefined> {
    const id = newId();
    // Add it immediately, because other requests of this kernel check it during the database request.
    this.#open.add(wanted);
    try {
      if (standing === null || (await this.#fleet?.reserveSpend(id, wanted.cost, standing.version)))
        return this.#reservation(wanted, standing === null ? null : id);
    } catch (error) {
      this.#close(wanted);
      // The row may exist if only the response was lost.
      this.#freeShared(id);
      throw error;
    }
    this.#close(wanted);
    return undefined;
  }

  /** @param sharedId its id in the database; null: it is not in the database */
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

  /** Deletes a row of the database; retries until that succeeds. */
  #freeShared(id: string): void {
    this.#over.add(id);
    this.#freeing.schedule();
  }

  #close(reserved: Reserved): void {
    this.#open.delete(reserved);
    this.#onFree();
  }
}

function counts({ scope, period }: CapStatus, { turn_id, chat_id }: Reserved): boolean {
  if (scope === 'turn') return turn_id === period;
  return scope !== 'chat' || chat_id === period;
}
