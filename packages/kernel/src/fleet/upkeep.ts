/**
 * Work that brings something up to date: one run at a time, one more for all that was wished meanwhile, and again where it
 * failed.
 */
import type { Clock } from '../ports/index.ts';

const PAUSE_MS = 250;

export class Upkeep {
  readonly #work: () => Promise<void>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #failed: (error: unknown) => void;
  #isOld = false;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param failed told of the first failure in a row */
  constructor(
    clock: Pick<Clock, 'after'>,
    work: () => Promise<void>,
    failed: (error: unknown) => void = () => {},
  ) {
    this.#clock = clock;
    this.#work = work;
    this.#failed = failed;
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
    let failures = 0;
    while (this.#isOld && !this.#stopped) {
      this.#isOld = false;
      try {
        await this.#work();
        failures = 0;
      } catch (error) {
        this.#isOld = true;
        if (failures++ === 0) this.#failed(error);
        await new Promise<void>(resolve => this.#clock.after(PAUSE_MS, resolve));
      }
    }
  }
}
