/** How a turn stands to sleep: whether it sleeps by itself now, whether it did, and whether that outlives the process. */
import type { SleepingTurn } from '../sleep/sleeper.ts';

export class TurnSleep {
  #sleeping: SleepingTurn | null = null;
  #sleptInStep = false;
  #resumed = false;
  #handedOver = false;
  #announced = false;

  /** The turn sleeps by itself; a turn that waits for the kernel to wake does not. */
  get active(): boolean {
    return this.#sleeping !== null;
  }

  /** Resolves when the present sleep is over; undefined while the turn is awake. */
  get over(): Promise<void> | undefined {
    return this.#sleeping?.over;
  }

  /** The turn began in an earlier process, slept through its end, and goes on in this one (SLP-4). */
  get resumed(): boolean {
    return this.#resumed;
  }

  /** The turn sleeps on in the next process, so this one does not close it. */
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

  /** The model of the step that runs is to be told that the turn was woken. */
  woke(): void {
    this.#sleptInStep = true;
  }

  /** Answers whether the turn slept in the step that runs; asked again, no. */
  takeWoke(): boolean {
    const woke = this.#sleptInStep;
    this.#sleptInStep = false;
    return woke;
  }

  resume(): void {
    this.#resumed = true;
  }

  /** The process ends: answers whether the turn sleeps, and so goes on in the next process. */
  handOver(): boolean {
    this.#handedOver = this.active;
    return this.#handedOver;
  }

  /** True once: the feed of the turn has yet to say that the kernel sleeps. */
  announce(): boolean {
    const first = !this.#announced;
    this.#announced = true;
    return first;
  }
}
