/**
 * The sleep of a turn: whether it sleeps now, whether it slept in this step, and whether it goes on in the next
 * process.
 */
import type { SleepingTurn } from '../sleep/sleeper.ts';

export class TurnSleep {
  #sleeping: SleepingTurn | null = null;
  #sleptInStep = false;
  #resumed = false;
  #handedOver = false;
  #announced = false;

  /** True while the turn sleeps by itself; a turn that waits for the kernel to wake does not. */
  get active(): boolean {
    return this.#sleeping !== null;
  }

  /** Resolves when the present sleep is over; undefined while the turn is awake. */
  get over(): Promise<void> | undefined {
    return this.#sleeping?.over;
  }

  /** True where the turn began in an earlier process, slept when that ended, and goes on in this one (SLP-4). */
  get resumed(): boolean {
    return this.#resumed;
  }

  /** True where the turn sleeps on in the next process, so that this one does not close it. */
  get handedOver(): boolean {
    return this.#handedOver;
  }

  start(sleeping: SleepingTurn): void {
    this.#sleeping = sleeping;
  }

  end(): void {
    this.#sleeping?.stop();
    this.#sleeping = null;
  }

  /** Notes that the turn was woken, which the model of the running step has to know. */
  woke(): void {
    this.#sleptInStep = true;
  }

  /** Whether the turn slept in the running step; true for one call alone. */
  takeWoke(): boolean {
    const woke = this.#sleptInStep;
    this.#sleptInStep = false;
    return woke;
  }

  resume(): void {
    this.#resumed = true;
  }

  /** Hands the turn over at the end of the process; returns whether it sleeps, and so goes on in the next one. */
  handOver(): boolean {
    this.#handedOver = this.active;
    return this.#handedOver;
  }

  /** Whether the feed of the turn still has to say that the kernel sleeps; true for one call alone. */
  announce(): boolean {
    const first = !this.#announced;
    this.#announced = true;
    return first;
  }
}
