/** Retries failed calls: after increasing delays, and only if the next attempt may succeed. */
import { setTimeout } from 'node:timers/promises';
import { isRetryable } from '@chat-kernel/client';

export interface RetryPauses {
  /** The delay after the first failure in a row; each further one is twice as long. */
  firstMs: number;
  maxMs: number;
}

/** For calls to the kernel. */
const KERNEL_PAUSES: RetryPauses = { firstMs: 200, maxMs: 10_000 };

/** Counts failures in a row. */
export class RetryBackoff {
  readonly #pauses: RetryPauses;
  /** Failures in a row. */
  failures = 0;

  constructor(pauses: RetryPauses) {
    this.#pauses = pauses;
  }

  /** Counts a failure. Returns the milliseconds until the next attempt. */
  nextMs(): number {
    const { firstMs, maxMs } = this.#pauses;
    return Math.min(firstMs * 2 ** this.failures++, maxMs);
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Waits. An aborted signal ends the pause without an error. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}

interface RetryOptions {
  signal: AbortSignal;
  pauses: RetryPauses;
  /** Whether the next attempt may succeed. */
  isRetryable(error: unknown): boolean;
  /** The delay that the other side requests. */
  retryAfterMs?(error: unknown): number | undefined;
}

/** Retries a call until it succeeds. @throws an error that is not retryable, or the reason of the signal */
export async function retry<Result>(
  call: () => Promise<Result>,
  { signal, pauses, isRetryable, retryAfterMs }: RetryOptions,
): Promise<Result> {
  for (const backoff = new RetryBackoff(pauses); ; ) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const nextMs = backoff.nextMs();
      await pause(retryAfterMs?.(error) ?? nextMs, signal);
    }
  }
}

/**
 * Retries a call to the kernel until it has an answer.
 * @throws KernelApiError if the kernel rejects it permanently, or the reason of the signal
 */
export const retryUntilAvailable = <Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => retry(call, { signal, pauses: KERNEL_PAUSES, isRetryable });
