/** Runs a refresh job: one run at a time, one more for all requests during a run, and a retry after a failure. */
import { pause } from '@chat-kernel/base';
import type { Clock } from '../ports/index.ts';

const PAUSE_MS = 250;

export class CoalescedJob {
  readonly #work: () => Promise<void>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #failed: (error: unknown) => void;
  #isOld = false;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param failed called at the first of consecutive failures */
  constructor(
    clock: Pick<Clock, 'after'>,
    work: () => Promise<void>,
    failed: (error: unknown) => void = () => {},
  ) {
    this.#clock = clock;
    this.#work = work;
    this.#failed = failed;
  }

  schedule(): void {
    this.#isOld = true;
    if (this.#stopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isOld) this.schedule();
    });
  }

  /** Resolves when the current run has ended; starts no more runs. */
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
        await pause(PAUSE_MS, { clock: this.#clock });
      }
    }
  }
}
