/** Repeats what failed: after increasing pauses, and only if the next attempt may succeed. */
import { abortable } from './abortable.ts';

export interface RetryPauses {
  /** The pause after the first failure in a row; each further one is twice as long. */
  firstMs: number;
  maxMs: number;
  /** The random part of each pause, from 0 to 1, so that programs do not retry together. Default: 0. */
  jitter?: number;
}

/** Counts failures in a row, and computes the pause after each. */
export class RetryBackoff {
  readonly #pauses: RetryPauses;
  /** Failures in a row. */
  failures = 0;

  constructor(pauses: RetryPauses) {
    this.#pauses = pauses;
  }

  /** Counts a failure. Returns the milliseconds until the next attempt. */
  nextMs(): number {
    const { firstMs, maxMs, jitter = 0 } = this.#pauses;
    return Math.min(firstMs * 2 ** this.failures++, maxMs) * (1 - jitter * Math.random());
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Waits by its clock, such as the kernel's. */
export interface Timer {
  /** Calls back once; the returned function cancels that. */
  after(ms: number, callback: () => void): () => void;
}

/** Keeps the process alive while it waits. */
export const systemTimer: Timer = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

interface PauseOptions {
  clock?: Timer | undefined;
  signal?: AbortSignal | undefined;
}

/** Waits. @throws the reason of the signal as soon as that is aborted */
export async function pause(ms: number, { clock = systemTimer, signal }: PauseOptions = {}): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  await (signal ? abortable(promise, signal).finally(cancel) : promise);
}

interface RetryOptions extends PauseOptions {
  pauses: RetryPauses;
  /** The number of attempts after which the error is thrown. Default: unlimited. */
  maxAttempts?: number;
  /** Whether the next attempt may succeed. */
  isRetryable(error: unknown): boolean;
  /** The pause that the other side requests. */
  retryAfterMs?(error: unknown): number | undefined;
}

/** Retries a call until it succeeds. @throws an error that is not retryable, the last error, or the reason of the signal */
export async function retry<Result>(
  call: () => Promise<Result>,
  { pauses, maxAttempts = Number.POSITIVE_INFINITY, isRetryable, retryAfterMs, ...options }: RetryOptions,
): Promise<Result> {
  for (const backoff = new RetryBackoff(pauses); ; ) {
    options.signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const ms = backoff.nextMs();
      if (!isRetryable(error) || backoff.failures >= maxAttempts) throw error;
      await pause(retryAfterMs?.(error) ?? ms, options);
    }
  }
}
