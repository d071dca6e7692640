/**
 * Asks another kernel at its address whether it is alive (FLEET-3): its database connections may be broken while it
 * works.
 */
import type { IsAlive } from '@chat-kernel/kernel';
import { type Asked, hop } from './hop.ts';
import type { Signer } from './signature.ts';

/** A killed kernel must be replaced within 2 s, even if its machine no longer refuses connections. */
const ANSWER_MS = 700;
const HEALTH: Asked = { method: 'GET', url: '/healthz', headers: {}, body: undefined };

export function isAliveFrom(from: Signer): IsAlive {
  return async kernel => {
    try {
      const answer = await hop(from, kernel, HEALTH, AbortSignal.timeout(ANSWER_MS), { fresh: true });
      answer.resume();
      return true;
    } catch {
      // Each failure means the same: the kernel did not answer.
      return false;
    }
  };
}
