/** Limits the snapshots of a running call: often enough to follow, but without flooding the clients. */
import { lastBytes } from '@chat-kernel/kernel';

const SHORTEST_MS = 250;
const LONGEST_MS = 5000;

export class Snapshots {
  readonly #take: () => string;
  readonly #show: (output: string) => void;
  readonly #began = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  /** @param take function that returns the text to show, of which the last 8 KiB are shown */
  constructor(take: () => string, show: (output: string) => void) {
    this.#take = take;
    this.#show = show;
  }

  /** Shows the new state now or soon, at most four times a second. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.#now(), Math.max(0, this.#last + this.#pause() - Date.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #now(): void {
    this.#timer = undefined;
    this.#last = Date.now();
    this.#show(lastBytes(this.#take()));
  }

  /** Every snapshot stays in memory as long as its turn runs, so a long command gets fewer of them. */
  #pause(): number {
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (Date.now() - this.#began) / 40));
  }
}
