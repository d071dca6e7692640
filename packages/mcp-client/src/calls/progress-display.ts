/** Shows the progress of a call: only the newest snapshot, at a limited rate. */
import type { Clock } from '@chat-kernel/kernel';
import { PROGRESS_EVERY_MS } from '../rules/limits.ts';

export class ProgressDisplay {
  readonly #show: (text: string) => void;
  readonly #clock: Clock;
  #next: string | undefined;
  #pausing = false;
  #closed = false;

  constructor(show: (text: string) => void, clock: Clock) {
    this.#show = show;
    this.#clock = clock;
  }

  show(text: string): void {
    this.#next = text;
    if (!this.#pausing) this.#flush();
  }

  close(): void {
    this.#closed = true;
  }

  #flush(): void {
    this.#pausing = false;
    if (this.#next === undefined || this.#closed) return;
    this.#show(this.#next);
    this.#next = undefined;
    this.#pausing = true;
    this.#clock.after(PROGRESS_EVERY_MS, () => this.#flush());
  }
}
