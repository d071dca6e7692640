/** Stores subscriptions to channels (VID-5). */

import type { Subscription } from '@chat-kernel/protocol';
import { type Db, decodeReadable, searchable, type Transactions } from '@chat-kernel/storage';

export class SubscriptionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Returns all subscriptions, sorted by title without regard to case, then by id. */
  list(): Promise<Subscription[]> {
    return this.#transactions.read(listSubscriptions);
  }

  /** Replaces the subscription with this id. */
  save(subscription: Subscription): Promise<void> {
    return this.#transactions.write(db => saveSubscription(db, subscription));
  }

  /** Adds the subscriptions whose id is new; returns their number. */
  add(subscriptions: readonly Subscription[]): Promise<number> {
    return this.#transactions.write(db => addSubscriptions(db, subscriptions));
  }

  /** Returns false if no subscription has this id. */
  delete(channelId: string): Promise<boolean> {
    return this.#transactions.write(db => deleteSubscription(db, channelId));
  }
}

async function listSubscriptions(db: Db): Promise<Subscription[]> {
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
}

async function saveSubscription(db: Db, subscription: Subscription): Promise<void> {
  const { channel_id } = subscription;
  const record = JSON.stringify(subscription);
  await db
    .insertInto('subscriptions')
    .values({ channel_id, record })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet({ record }))
    .execute();
}

/** Writes in order of id, so that two imports cannot deadlock. */
async function addSubscriptions(db: Db, subscriptions: readonly Subscription[]): Promise<number> {
  let added = 0;
  const ordered = subscriptions.toSorted((a, b) => (a.channel_id < b.channel_id ? -1 : 1));
  for (const subscription of ordered) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('subscriptions')
      .values({ channel_id: subscription.channel_id, record: JSON.stringify(subscription) })
      .onConflict(conflict => conflict.column('channel_id').doNothing())
      .executeTakeFirstOrThrow();
    added += Number(numInsertedOrUpdatedRows);
  }
  return added;
}

async function deleteSubscription(db: Db, channelId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('subscriptions')
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
