/**
 * Runs a refresh job: one run at a time, one more for all requests during a run and the rest after it, and a retry after
 * a failure.
 */
import { pause } from '@chat-kernel/base';
import type { Clock } from '../ports/index.ts';

const PAUSE_MS = 250;

export class CoalescedJob {
  readonly #work: () => Promise<void>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #failed: (error: unknown) => void;
  readonly #restMs: number;
  readonly #stopping = new AbortController();
  #isOld = false;
  #running: Promise<void> | undefined;

  /**
   * @param failed called at the first of consecutive failures
   * @param restMs the time between two runs
   */
  constructor(
    clock: Pick<Clock, 'after'>,
    work: () => Promise<void>,
    failed: (error: unknown) => void = () => {},
    restMs = 0,
  ) {
    this.#clock = clock;
    this.#work = work;
    this.#failed = failed;
    this.#restMs = restMs;
  }

  schedule(): void {
    this.#isOld = true;
    if (this.#isStopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isOld) this.schedule();
    });
  }

  /** Resolves when the current run has ended; starts no more runs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ends early if the job is stopped. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, { clock: this.#clock, signal: this.#stopping.signal }).catch(() => {});
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (this.#isOld && !this.#isStopped) {
      this.#isOld = false;
      try {
        await this.#work();
        failures = 0;
        if (this.#restMs > 0) await this.#pause(this.#restMs);
      } catch (error) {
        this.#isOld = true;
        if (failures++ === 0) this.#failed(error);
        await this.#pause(PAUSE_MS);
      }
    }
  }
}
