/** Stores idempotency keys: a request that is sent twice with one key starts one turn. */
import type { IdempotencyKey, TurnRecord } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';

/** Minimum lifetime of a key, in which a repeated request attaches to the first turn. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Binds a key to a turn. Throws if another turn of the chat has it, unless that is older than `forgotten`. */
export async function holdKey(
  db: Db,
  turn: Pick<TurnRecord, 'id' | 'chat_id'>,
  { key, fingerprint, created_at }: IdempotencyKey,
  forgotten: string,
): Promise<void> {
  const held = await db
    .insertInto('idempotency')
    .values({ chat_id: turn.chat_id, key: plain(key), turn_id: turn.id, fingerprint, created_at })
    .onConflict(conflict =>
      conflict
        .columns(['chat_id', 'key'])
        .doUpdateSet({ turn_id: turn.id, fingerprint, created_at })
        .where('idempotency.created_at', '<', forgotten),
    )
    .returning('turn_id')
    .executeTakeFirst();
  if (!held) throw new Error(`The idempotency key already started a turn in chat ${turn.chat_id}.`);
}

/** Deletes the keys older than this time (RFC 3339). */
export async function forgetKeys(db: Db, forgotten: string): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<', forgotten).execute();
}
