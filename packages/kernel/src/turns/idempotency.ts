/**
 * Repeated starts: a client that does not know whether its first start arrived sends it again under the same key
 * (TURN-12).
 */
import { KernelError } from '@chat-kernel/protocol';
import type { TurnRecord } from '../ports/index.ts';
import type { TurnServices } from '../turn/turn-services.ts';

/** The time that an idempotency key is known. */
const KEEP_KEY_MS = 24 * 60 * 60 * 1000;

/**
 * The turn that the key started; undefined where the key is new.
 * @param fingerprint of the request
 * @throws KernelError idempotency_mismatch
 */
export async function findRepeated(
  chatId: string,
  key: string,
  fingerprint: string,
  { store, clock }: Pick<TurnServices, 'store' | 'clock'>,
): Promise<TurnRecord | undefined> {
  const since = new Date(clock.now() - KEEP_KEY_MS).toISOString();
  const known = await store.turns.findByKey(chatId, key, since);
  if (known === undefined || known.fingerprint === fingerprint) return known?.turn;
  throw new KernelError(
    'idempotency_mismatch',
    `Idempotency-Key ${key} started a turn with another request.`,
  );
}
