/** The end of a connection. The signal of a stop outlives many of them, so that none may leave a listener behind. */
import type { GuestConnection } from './guest-connection.ts';
import type { ConnectionLoss } from './heartbeat.ts';

/** Resolves when the connection is lost, or at the signal. Never rejects. */
export async function lostOrStopped(
  { lost }: Pick<GuestConnection, 'lost'>,
  signal: AbortSignal,
): Promise<ConnectionLoss> {
  const { promise, resolve } = Promise.withResolvers<ConnectionLoss>();
  const stop = () => resolve({ problem: 'the kernel stops', forgotten: false });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  void lost.then(resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
