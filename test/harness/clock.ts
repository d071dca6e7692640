/** The clock of tests: the second of the two fakes. */
import type { Clock } from '@chat-kernel/kernel';

/** Time stands still until it is moved. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly timers = new Set<{ at: number; callback: () => void }>();

  now = (): number => this.#now;

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + ms, callback };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.timers]) {
      if (timer.at <= this.#now && this.timers.delete(timer)) timer.callback();
    }
  }
}
