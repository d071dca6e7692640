/**
 * Work that brings something up to date: one run at a time, one more for all that was wished meanwhile, and again where it
 * failed.
 */
import type { Clock } from '../ports/index.ts';

const PAUSE_MS = 250;

export class Upkeep {
  readonly #work: () => Promise<void>;
  readonly #clock: Pick<Clock, 'after'>;
  #isOld = false;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(clock: Pick<Clock, 'after'>, work: () => Promise<void>) {
    this.#clock = clock;
    this.#work = work;
  }

  wish(): void {
    this.#isOld = true;
    if (this.#stopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isOld) this.wish();
    });
  }

  /** Resolves when nothing runs any more; nothing is begun from then on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isOld && !this.#stopped) {
      this.#isOld = false;
      try {
        await this.#work();
      } catch {
        this.#isOld = true;
        await new Promise<void>(resolve => this.#clock.after(PAUSE_MS, resolve));
      }
    }
  }
}
