/**
 * Tracks the sleep of a turn: whether it sleeps, whether it slept in this step, and whether it continues in the next
 * process.
 */
import type { SleepingTurn } from '../sleep/sleeper.ts';

export class TurnSleep {
  #sleeping: SleepingTurn | null = null;
  #sleptInStep = false;
  /** True if the turn began in an earlier process, was asleep when that ended, and continues in this one (SLP-4). */
  resumed = false;
  /** True if the turn continues to sleep in the next process, so that this one does not close it. */
  handedOver = false;
  #announced = false;

  /** True while the turn sleeps; false for a turn that waits for the kernel to wake. */
  get active(): boolean {
    return this.#sleeping !== null;
  }

  /** Resolves when the current sleep is over; undefined while the turn is awake. */
  get over(): Promise<void> | undefined {
    return this.#sleeping?.over;
  }

  start(sleeping: SleepingTurn): void {
    this.#sleeping = sleeping;
  }

  end(): void {
    this.#sleeping?.stop();
    this.#sleeping = null;
  }

  /** Records that the turn was woken, which the model of the running step must learn. */
  woke(): void {
    this.#sleptInStep = true;
  }

  /** Whether the turn slept in the running step; true only for the first call. */
  takeWoke(): boolean {
    const woke = this.#sleptInStep;
    this.#sleptInStep = false;
    return woke;
  }

  resume(): void {
    this.resumed = true;
  }

  /**
   * Hands the turn over at the end of the process; returns whether it sleeps and therefore continues in the next one.
   */
  handOver(): boolean {
    this.handedOver = this.active;
    return this.handedOver;
  }

  /** Whether the feed of the turn still has to report that the kernel sleeps; true only for the first call. */
  announce(): boolean {
    const first = !this.#announced;
    this.#announced = true;
    return first;
  }
}
