/** Work that nobody waits for any more is given up. */
import type { FastifyReply } from 'fastify';

/** Aborted when the caller has gone, or has its answer. */
export function hangUp({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
