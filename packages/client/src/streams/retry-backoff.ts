/** Computes the waits between attempts, and when to give up. */
import { RetriesExhaustedError } from '../http/errors.ts';

interface PatienceOptions {
  /** Milliseconds from the first failure to giving up. */
  total: number;
  /** Milliseconds before the second attempt. */
  first: number;
  /** The longest wait, milliseconds. */
  longest: number;
  /** Target whose `online` events end a wait immediately. */
  online?: EventTarget | undefined;
}

export class RetryBackoff {
  /** Milliseconds before the second attempt; the server may set another time. */
  first: number;
  readonly #options: PatienceOptions;
  #attempts = 0;
  #since: number | undefined;

  constructor(options: PatienceOptions) {
    this.first = options.first;
    this.#options = options;
  }

  /** Called after a success: the next failure counts as the first one. */
  renew(): void {
    this.#attempts = 0;
    this.#since = undefined;
  }

  /**
   * Waits before the next attempt. The wait grows, and is random so that clients do not all reconnect together.
   * @param onWait callback before the wait, with its milliseconds and its number in a row
   * @throws RetriesExhaustedError when the time is up, or the reason of the signal
   */
  async wait(
    cause: unknown,
    signal?: AbortSignal,
    onWait?: (waitMs: number, attempt: number) => void,
  ): Promise<void> {
    const { total, longest, online } = this.#options;
    this.#since ??= Date.now();
    const waited = Date.now() - this.#since;
    if (waited >= total) throw new RetriesExhaustedError(waited / 1000, cause);
    const most = Math.min(longest, this.first * 2 ** this.#attempts++);
    const ms = Math.min(most * (0.5 + Math.random() / 2), total - waited);
    onWait?.(ms, this.#attempts);
    await pause(ms, signal, online);
  }
}

/** Waits for this time, or for an `online` event. @throws the reason of the signal */
function pause(ms: number, signal?: AbortSignal, online?: EventTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      online?.removeEventListener('online', over);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(over, ms);
    signal?.addEventListener('abort', over);
    online?.addEventListener('online', over);
  });
}

/** Waits; the signal ends it without an error. */
export async function abortable(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  await waiting.catch(error => {
    if (!signal.aborted) throw error;
  });
}
