/**
 * Detects repeated starts. A client that does not know whether its first start arrived sends it again, with the same
 * key (TURN-12) or with the id of the last event that it has read (WIRE-2).
 */
import { KernelError } from '@chat-kernel/protocol';
import { eventPosition } from '../feed/position.ts';
import type { TurnRecord } from '../ports/index.ts';
import type { TurnServices } from '../turn/turn-services.ts';

/** The headers that distinguish a repeated start from a new one. */
export interface Repeat {
  /** The header Idempotency-Key. */
  idempotencyKey?: string;
  /** The header Last-Event-ID; used only if there is no key. */
  after?: string;
}

const KEEP_KEY_MS = 24 * 60 * 60 * 1000;

/**
 * The turn that an earlier start of this request created; undefined if the request is new.
 * @param fingerprint the hash of the request
 * @throws KernelError idempotency_mismatch
 */
export function findRepeated(
  chatId: string,
  { idempotencyKey, after }: Repeat,
  fingerprint: string,
  services: Pick<TurnServices, 'store' | 'clock'>,
): Promise<TurnRecord | undefined> {
  return idempotencyKey === undefined
    ? turnOfEvent(chatId, after, fingerprint, services)
    : turnOfKey(chatId, idempotencyKey, fingerprint, services);
}

/**
 * The turn whose event a repeated start names. Some clients keep the id in their headers for the next message, so a
 * different request is not a repetition. The same is true if the turn was rewound, because its message has been removed
 * from the chat.
 */
async function turnOfEvent(
  chatId: string,
  after: string | undefined,
  fingerprint: string,
  { store }: Pick<TurnServices, 'store'>,
): Promise<TurnRecord | undefined> {
  const seen = eventPosition(after);
  const turn = seen && (await store.turns.get(chatId, seen.turn_id));
  if (turn === undefined || (turn.parameters.fingerprint ?? fingerprint) !== fingerprint) return undefined;
  const stands = turn.ended_at === null || (await store.messages.get(chatId, turn.message_id)) !== undefined;
  return stands ? turn : undefined;
}

/** The turn that the key started; undefined if the key is new. @throws KernelError idempotency_mismatch */
async function turnOfKey(
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
    `Idempotency-Key ${key} was used with a different request. Use a new key.`,
  );
}
