/**
 * Tracks calls that wait for their responses. Each ends once: by its response, its timeout, its signal or the end of
 * the connection.
 */
import { TimedOut } from './errors.ts';
import type { Outcome } from './message.ts';

interface CallLimits {
  /** Absent: no timeout. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Schedules a callback; returns how to cancel it. */
type Timer = (ms: number, callback: () => void) => () => void;

export class PendingCalls {
  readonly #timer: Timer;
  readonly #onSettled: () => void;
  readonly #settlers = new Map<number, (outcome: Outcome) => void>();
  #lastId = 0;

  /** @param onSettled callback after each call that has ended */
  constructor(timer: Timer = systemTimer, onSettled: () => void = () => {}) {
    this.#timer = timer;
    this.#onSettled = onSettled;
  }

  get size(): number {
    return this.#settlers.size;
  }

  /**
   * Starts a call and resolves with its result, of any shape. `send` gets the id of the call; an error that it throws
   * ends the call.
   * @throws RpcError, TimedOut, the reason of the signal, or the error of `end`
   */
  begin(send: (id: number) => void, { timeoutMs, signal }: CallLimits = {}): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timedOut = () => settle({ error: new TimedOut(timeoutMs ?? 0) });
    const cancelTimer = timeoutMs === undefined ? () => {} : this.#timer(timeoutMs, timedOut);
    const abort = () => settle({ error: signal?.reason });
    const settle = (outcome: Outcome) => {
      if (!this.#settlers.delete(id)) return;
      cancelTimer();
      signal?.removeEventListener('abort', abort);
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.result);
      this.#onSettled();
    };
    this.#settlers.set(id, settle);
    signal?.addEventListener('abort', abort);
    try {
      send(id);
    } catch (error) {
      settle({ error: error as Error });
    }
    return promise;
  }

  /** Returns false if no call with this id waits: it has ended, or never started. */
  settle(id: number, outcome: Outcome): boolean {
    const settler = this.#settlers.get(id);
    settler?.(outcome);
    return settler !== undefined;
  }

  /** Ends all calls with this error. */
  end(error: Error): void {
    for (const settle of [...this.#settlers.values()]) settle({ error });
  }
}

const systemTimer: Timer = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
