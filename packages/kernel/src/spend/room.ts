/** The room under caps: a trip takes its part of it, or waits for others to give theirs back. */
import type { Usage } from '@chat-kernel/protocol';
import { unlessEnded } from '../base/until-aborted.ts';
import type { Clock, FleetStore, SpendStanding } from '../ports/index.ts';
import { type CapStatus, isReached } from './caps.ts';
import { NO_RESERVATION, type Reservation, Reservations, type Reserved } from './reservations.ts';
import type { Sum } from './spend-totals.ts';

/** What a trip may cost; asked for only where something is capped. */
export type Estimate = () => Promise<Usage> | Usage;

/** Other kernels end their trips without a word to this one. */
const LOOK_MS = 250;

export class Room {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #standing: () => Promise<SpendStanding | null>;
  readonly #reservations: Reservations;
  readonly #waiting = new Set<() => void>();

  /** @param standing reads what all kernels have spent and reserved; null where this one spends alone */
  constructor(
    fleet: Pick<FleetStore, 'freeSpend' | 'reserveSpend'> | null,
    clock: Pick<Clock, 'after'>,
    standing: () => Promise<SpendStanding | null>,
  ) {
    this.#clock = clock;
    this.#standing = standing;
    this.#reservations = new Reservations(fleet, clock, () => this.tell());
  }

  /**
   * Reserves what a trip may cost, once there is room for it.
   * @param statuses the caps that count for it, as they stand
   * @returns the cap that is reached, where one is
   */
  async reserve(
    whose: Omit<Reserved, 'cost'>,
    statuses: () => Promise<CapStatus[]>,
    estimate: Estimate,
    signal: AbortSignal,
  ): Promise<Reservation | CapStatus> {
    if ((await statuses()).length === 0) return NO_RESERVATION;
    const wanted = { ...whose, cost: sumOf(await estimate()) };
    for (;;) {
      const standing = await this.#standing();
      const caps = await statuses();
      const reached = caps.find(isReached);
      if (reached !== undefined) return reached;
      signal.throwIfAborted();
      // No wait may come between this look and the taking.
      if (caps.every(cap => this.#reservations.fits(cap, wanted, standing))) {
        const reservation = await this.#reservations.take(wanted, standing);
        if (reservation !== undefined) return reservation;
      } else {
        await this.#more(signal, standing !== null);
      }
    }
  }

  /** Calls back whenever there may be more room; the returned function takes that back. */
  onMore(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => void this.#waiting.delete(callback);
  }

  /** There may be more room. */
  tell(): void {
    for (const told of [...this.#waiting]) told();
  }

  /** Resolves when there may be more room. Rejects with the reason of the signal. */
  async #more(signal: AbortSignal, isShared: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = this.onMore(resolve);
    const stop = isShared ? this.#clock.after(LOOK_MS, resolve) : () => {};
    await unlessEnded({ signal }, promise).finally(() => {
      forget();
      stop();
    });
  }
}

/** A cost whose price is unknown counts under no cap in USD, for there is none then. */
const sumOf = ({ prompt_tokens, completion_tokens, cost_usd }: Usage): Sum => ({
  usd: cost_usd ?? 0,
  tokens: prompt_tokens + completion_tokens,
});
