/** Converts the failure of a call outside of chats to an API error. */
import { KernelError } from '@chat-kernel/protocol';
import { ModelError } from '../ports/index.ts';

/**
 * Returns the error to throw.
 * @param ended the signals that end the call: `closing` when the kernel stops, `gone` when the client has disconnected
 */
export function sideFailure(
  error: unknown,
  { closing, gone }: { closing: AbortSignal; gone: AbortSignal },
): unknown {
  if (closing.aborted)
    return new KernelError('shutting_down', 'The kernel is shutting down. Try again later.');
  if (error instanceof ModelError || gone.aborted) {
    return new KernelError('upstream_error', (error as Error).message, { cause: error });
  }
  return error;
}
