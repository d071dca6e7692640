/** Ends work for a client when the client disconnects. */
import type { FastifyReply } from 'fastify';

/**
 * Returns a signal that is aborted when the connection is done with this reply: it was answered, or the client
 * disconnected.
 */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // A connection that dropped before the request arrived here fires no second `close`.
  if (raw.destroyed) gone.abort();
  else raw.once('close', () => gone.abort());
  return gone.signal;
}
