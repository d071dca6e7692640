/** Stores decisions. Their texts come from outside: JSON preserves each character in any database. */
import type { PastDecision } from '@chat-kernel/protocol';
import { decodeReadable, type Transactions } from '@chat-kernel/storage';
import type { Page } from '../feature.ts';

export class DecisionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Returns decisions, the newest first. @param page.before only decisions before this one */
  list({ limit, before }: Page): Promise<PastDecision[]> {
    return this.#transactions.read(async db => {
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
    });
  }

  /** Stores a decision, unless its chat was deleted, and deletes the oldest ones above the limit. */
  add({ id, chat_id, ...fields }: PastDecision, limit: number): Promise<void> {
    return this.#transactions.write(async db => {
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
    });
  }
}
