/** Stores decisions. Their texts come from outside: JSON preserves each character in any database. */

import type { PastDecision } from '@chat-kernel/protocol';
import { type Db, decodeReadable, type Transactions } from '@chat-kernel/storage';

export class DecisionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Returns decisions, the newest first. @param page.before only decisions before this one */
  list(page: { limit: number; before?: string }): Promise<PastDecision[]> {
    return this.#transactions.read(db => listDecisions(db, page));
  }

  /** Stores a decision, unless its chat was deleted, and deletes the oldest ones above the limit. */
  add(decision: PastDecision, limit: number): Promise<void> {
    return this.#transactions.write(db => addDecision(db, decision, limit));
  }
}

async function listDecisions(
  db: Db,
  { limit, before }: { limit: number; before?: string },
): Promise<PastDecision[]> {
  const rows = await db
    .selectFrom('decisions')
    .selectAll()
    .$if(before !== undefined, query => query.where('id', '<', before as string))
    // Ids are ordered by time.
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return decodeReadable(
    'decisions',
    rows,
    ({ id, chat_id, record }) => ({ ...JSON.parse(record), id, chat_id }),
    ({ id }) => id,
  );
}

async function addDecision(db: Db, { id, chat_id, ...fields }: PastDecision, limit: number): Promise<void> {
  if (chat_id !== null) {
    const chat = await db.selectFrom('chats').select('id').where('id', '=', chat_id).executeTakeFirst();
    if (chat === undefined) return;
  }
  await db
    .insertInto('decisions')
    .values({ id, chat_id, record: JSON.stringify(fields) })
    .execute();
  const oldest = await db
    .selectFrom('decisions')
    .select('id')
    .orderBy('id', 'desc')
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await db.deleteFrom('decisions').where('id', '<=', oldest.id).execute();
}
