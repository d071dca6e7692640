/** Fake clocks for tests. The clock is the second of the two fakes. */
import { type Clock, systemClock } from '@chat-kernel/kernel';

/** A clock that moves only when the test moves it. */
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

/** The real clock, which tests can advance instead of waiting. */
export class MovableClock implements Clock {
  #moved = 0;
  readonly #timers = new Set<{ at: number; fire: () => void }>();

  now = (): number => systemClock.now() + this.#moved;

  after = (ms: number, callback: () => void): (() => void) => {
    const cancel = () => {
      this.#timers.delete(timer);
      takeBack();
    };
    const fire = () => {
      cancel();
      callback();
    };
    const timer = { at: this.now() + ms, fire };
    this.#timers.add(timer);
    const takeBack = systemClock.after(ms, fire);
    return cancel;
  };

  advance(ms: number): void {
    this.#moved += ms;
    for (const timer of [...this.#timers])
      if (timer.at <= this.now() && this.#timers.has(timer)) timer.fire();
  }
}

/** The pause of the demo model before each word. */
const PACE_MS = 15;

/** The real clock, except that the pauses of the demo model before each word end immediately. */
export class DemoClock implements Clock {
  /** How many words the demo model has sent. */
  words = 0;

  now = systemClock.now;

  after = (ms: number, callback: () => void): (() => void) => {
    if (ms !== PACE_MS) return systemClock.after(ms, callback);
    this.words++;
    const word = setImmediate(callback);
    return () => clearImmediate(word);
  };
}
