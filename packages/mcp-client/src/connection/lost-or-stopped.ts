/**
 * Waits for the end of a connection or a stop. The stop signal outlives many connections, so none may leave a listener
 * behind.
 */
import type { GuestConnection } from './guest-connection.ts';
import type { ConnectionLoss } from './heartbeat.ts';

/** Resolves when the connection is lost, or when the signal is aborted. Never rejects. */
export async function lostOrStopped(
  { lost }: Pick<GuestConnection, 'lost'>,
  signal: AbortSignal,
): Promise<ConnectionLoss> {
  const { promise, resolve } = Promise.withResolvers<ConnectionLoss>();
  const stop = () => resolve({ problem: 'the kernel is stopping', forgotten: false });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  void lost.then(resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
