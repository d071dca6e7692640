/** Retries calls to the kernel. */
import * as base from '@chat-kernel/base';
import { isRetryable } from '@chat-kernel/client';

/** For calls to the kernel. */
const KERNEL_PAUSES: base.RetryPauses = { firstMs: 200, maxMs: 10_000 };

/** Waits. An aborted signal ends the pause without an error. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  base.pause(ms, { signal }).catch(() => {});

/**
 * Retries a call to the kernel until it has an answer.
 * @throws KernelApiError if the kernel rejects it permanently, or the reason of the signal
 */
export const retryUntilAvailable = <Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => base.retry(call, { signal, pauses: KERNEL_PAUSES, isRetryable });
