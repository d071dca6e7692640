/** Runs long work in steps, so that other work can run in between: the event loop must not be blocked for 50 ms (SAFE-7). */
import { setImmediate as nextTick } from 'node:timers/promises';

/** Milliseconds after which other work can run. A garbage collection can come on top. */
export const STEP_MS = 5;

/** Work that yields when a step is over. */
export type Steps<Result> = Generator<void, Result>;

/** Measures a step. It begins with the first question, and again after each pause. */
export class StepClock {
  #began = performance.now();

  isOver(): boolean {
    return performance.now() - this.#began > STEP_MS;
  }

  /** Pauses if the step is over. */
  *pause(): Steps<void> {
    if (!this.isOver()) return;
    yield;
    this.#began = performance.now();
  }
}

/** The first step also waits: the caller may have used most of the current turn of the event loop. */
export async function runInSteps<Result>(steps: Steps<Result>): Promise<Result> {
  await nextTick();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTick();
  }
}

/** Runs short work without pauses. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
