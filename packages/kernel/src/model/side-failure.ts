/** The failure of a call outside of any chat, as the API tells it. */
import { KernelError } from '@chat-kernel/protocol';
import { ModelError } from '../ports/index.ts';

/**
 * Returns what is to be thrown.
 * @param ended the signals that end the call: `closing` when the kernel stops, `gone` when the client has hung up
 */
export function sideFailure(
  error: unknown,
  { closing, gone }: { closing: AbortSignal; gone: AbortSignal },
): unknown {
  if (closing.aborted)
    return new KernelError('shutting_down', 'The kernel is shutting down: try again soon.');
  if (error instanceof ModelError || gone.aborted) {
    return new KernelError('upstream_error', (error as Error).message, { cause: error });
  }
  return error;
}
