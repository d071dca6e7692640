/**
 * Admits provider requests under the caps: each reserves its part of the budget, or waits until others release theirs.
 */
import { abortable } from '@chat-kernel/base';
import type { Usage } from '@chat-kernel/protocol';
import type { Clock, FleetStore, SpendStanding } from '../ports/index.ts';
import { type CapStatus, isReached } from './caps.ts';
import { NO_RESERVATION, type Reservation, Reservations, type Reserved } from './reservations.ts';
import type { Sum } from './spend-totals.ts';

/** Estimates the cost of a request; called only if there are caps. */
export type Estimate = () => Promise<Usage> | Usage;

/** The poll interval: other kernels end their requests without a message to this one. */
const POLL_INTERVAL_MS = 250;

export class SpendAdmission {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #standing: () => Promise<SpendStanding | null>;
  readonly #reservations: Reservations;
  readonly #waiting = new Set<() => void>();

  /** @param standing reads what all kernels have spent and reserved; null if there is only this kernel */
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
   * Reserves the possible cost of a request once there is budget for it.
   * @param statuses returns the current caps that apply to it
   * @returns the cap that is reached, if any
   */
  async reserve(
    whose: Omit<Reserved, 'cost'>,
    statuses: () => Promise<CapStatus[]>,
    estimate: Estimate,
    signal: AbortSignal,
  ): Promise<Reservation | CapStatus> {
    if ((await statuses()).length === 0) return NO_RESERVATION;
    const wanted = { ...whose, cost: toSum(await estimate()) };
    for (;;) {
      const standing = await this.#standing();
      const caps = await statuses();
      const reached = caps.find(isReached);
      if (reached !== undefined) return reached;
      signal.throwIfAborted();
      // There must be no await between this check and the reservation.
      if (caps.every(cap => this.#reservations.fits(cap, wanted, standing))) {
        const reservation = await this.#reservations.take(wanted, standing);
        if (reservation !== undefined) return reservation;
      } else {
        await this.more(signal, standing !== null);
      }
    }
  }

  /** Calls back whenever more budget may be available; the returned function unsubscribes. */
  onMore(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => void this.#waiting.delete(callback);
  }

  /** Notifies the waiting requests that more budget may be available. */
  tell(): void {
    for (const retry of [...this.#waiting]) retry();
  }

  /** Resolves when more budget may be available. Rejects with the reason of the signal. */
  async more(signal: AbortSignal, isShared: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = this.onMore(resolve);
    const stop = isShared ? this.#clock.after(POLL_INTERVAL_MS, resolve) : () => {};
    await abortable(promise, signal).finally(() => {
      forget();
      stop();
    });
  }
}

/** An unknown cost does not count for caps in USD: there are none for a model without a price. */
const toSum = ({ prompt_tokens, completion_tokens, cost_usd }: Usage): Sum => ({
  usd: cost_usd ?? 0,
  tokens: prompt_tokens + completion_tokens,
});
