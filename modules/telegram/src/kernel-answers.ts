/** Calls to a kernel that may be away for a while. */
import { setTimeout } from 'node:timers/promises';
import { BrokenLine, ConnectionLost, KernelApiError } from '@chat-kernel/client';

/**
 * The kernel was not reached, or does not take work now: the same call may succeed later. A provider that has failed is
 * no such case: the kernel has tried already, and each call costs.
 */
export const isAway = (error: unknown): boolean =>
  error instanceof BrokenLine ||
  error instanceof ConnectionLost ||
  (error instanceof KernelApiError &&
    [429, 502, 503, 504].includes(error.status) &&
    error.code !== 'upstream_error');

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof KernelApiError && error.status === status;

/** The kernel's own words about what was wrong. */
export function detailOf(error: unknown): string {
  if (error instanceof KernelApiError) return error.detail;
  return isAway(error) ? 'The kernel cannot be reached.' : 'The log of the module says why.';
}

/** Repeats a call until the kernel has answered it. @throws KernelApiError, or the reason of the signal */
export async function whenThere<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let wait = 200; ; wait = Math.min(wait * 2, 10_000)) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!isAway(error)) throw error;
      await setTimeout(wait, undefined, { signal });
    }
  }
}
