/** Stores subscriptions to channels (VID-5). */
import type { Subscription } from '@chat-kernel/protocol';
import { decodeReadable, searchable, type Transactions } from '@chat-kernel/storage';

export class SubscriptionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Returns all subscriptions, sorted by title without regard to case, then by id. */
  list(): Promise<Subscription[]> {
    return this.#transactions.read(async db => {
      const rows = await db.selectFrom('subscriptions').selectAll().orderBy('channel_id').execute();
      return decodeReadable(
        'subscriptions',
        rows,
        ({ record }) => JSON.parse(record) as Subscription,
        ({ channel_id }) => channel_id,
      )
        .map(subscription => ({ subscription, title: searchable(subscription.title) }))
        .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0))
        .map(({ subscription }) => subscription);
    });
  }

  /** Replaces the subscription with this id. */
  save(subscription: Subscription): Promise<void> {
    const { channel_id } = subscription;
    const record = JSON.stringify(subscription);
    return this.#transactions.write(async db => {
      await db
        .insertInto('subscriptions')
        .values({ channel_id, record })
        .onConflict(conflict => conflict.column('channel_id').doUpdateSet({ record }))
        .execute();
    });
  }

  /** Adds the subscriptions whose id is new; returns their number. Two adds that write in order of id cannot deadlock. */
  add(subscriptions: readonly Subscription[]): Promise<number> {
    const ordered = subscriptions.toSorted((a, b) => (a.channel_id < b.channel_id ? -1 : 1));
    return this.#transactions.write(async db => {
      let added = 0;
      for (const subscription of ordered) {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('subscriptions')
          .values({ channel_id: subscription.channel_id, record: JSON.stringify(subscription) })
          .onConflict(conflict => conflict.column('channel_id').doNothing())
          .executeTakeFirstOrThrow();
        added += Number(numInsertedOrUpdatedRows);
      }
      return added;
    });
  }

  /** Returns false if no subscription has this id. */
  delete(channelId: string): Promise<boolean> {
    return this.#transactions.write(async db => {
      const { numDeletedRows } = await db
        .deleteFrom('subscriptions')
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }
}
