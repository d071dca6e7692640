/** Defines the clock as a port: besides the model, the only dependency that tests may fake. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels that. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** The time of a clock shared by several kernels, derived from the local clock, which may be wrong (FLEET-3). */
export class SharedClock implements Clock {
  readonly #own: Clock;
  #ahead = 0;

  constructor(local: Clock) {
    this.#own = local;
  }

  now = (): number => this.#own.now() + this.#ahead;

  after: Clock['after'] = (ms, callback) => this.#own.after(ms, callback);

  /** Adjusts to the current time of the shared clock. */
  follow(time: number): void {
    this.#ahead = Math.round(time - this.#own.now());
  }
}

/** The time of the clock as RFC 3339 with milliseconds, in UTC. */
export const timestamp = (clock: Clock): string => new Date(clock.now()).toISOString();
