/**
 * Stores the browsers that get push notifications. Names are external input: JSON preserves each of their characters in
 * any database.
 */
import type { PushSubscription } from '@chat-kernel/protocol';
import { decodeReadable, type Transactions } from '@chat-kernel/storage';
import type { PushTarget } from './sender.ts';

export type PushSubscriptionRecord = PushSubscription & PushTarget;

export class PushSubscriptionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Returns the subscriptions, the oldest first. */
  list(): Promise<PushSubscriptionRecord[]> {
    return this.#transactions.read(async db => {
      const rows = await db
        .selectFrom('push_subscriptions')
        .select(['id', 'created_at', 'record'])
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return decodeReadable(
        'push_subscriptions',
        rows,
        ({ id, created_at, record }) => ({ ...JSON.parse(record), id, created_at }),
        ({ id }) => id,
      );
    });
  }

  /** Replaces the row of this endpoint except its id and time; returns the stored row. */
  save({ id, created_at, ...fields }: PushSubscriptionRecord): Promise<PushSubscriptionRecord> {
    const record = JSON.stringify(fields);
    return this.#transactions.write(async db => {
      const row = await db
        .insertInto('push_subscriptions')
        .values({ id, endpoint: fields.endpoint, created_at, record })
        .onConflict(conflict => conflict.column('endpoint').doUpdateSet({ record }))
        .returning(['id', 'created_at'])
        .executeTakeFirstOrThrow();
      return { ...fields, ...row };
    });
  }

  /** Returns false if no row has this id. */
  delete(id: string): Promise<boolean> {
    return this.#transactions.write(async db => {
      const { numDeletedRows } = await db
        .deleteFrom('push_subscriptions')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }
}
