/** Work for a caller, which ends when the caller hangs up. */
import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the connection is done with this reply: answered, or hung up. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // A connection that broke before the request came here fires no second `close`.
  if (raw.destroyed) gone.abort();
  else raw.once('close', () => gone.abort());
  return gone.signal;
}
