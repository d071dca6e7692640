/** Channels that are followed (VID-5). */
import type { SubscriptionRecord, SubscriptionStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { searchable } from '../tables/text.ts';

export class SqlSubscriptionStore implements SubscriptionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: SubscriptionStore['list'] = () => this.#transactions.read(listSubscriptions);

  save: SubscriptionStore['save'] = subscription =>
    this.#transactions.write(db => saveSubscription(db, subscription));

  add: SubscriptionStore['add'] = added => this.#transactions.write(db => addSubscriptions(db, added));

  delete: SubscriptionStore['delete'] = channelId =>
    this.#transactions.write(db => deleteSubscription(db, channelId));
}

/** By title, whatever its case, then by id. */
async function listSubscriptions(db: Db): Promise<SubscriptionRecord[]> {
  const rows = await db.selectFrom('subscriptions').select('record').orderBy('channel_id').execute();
  return rows
    .map(({ record }) => JSON.parse(record) as SubscriptionRecord)
    .map(subscription => ({ subscription, title: searchable(subscription.title) }))
    .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0))
    .map(({ subscription }) => subscription);
}

async function saveSubscription(db: Db, subscription: SubscriptionRecord): Promise<void> {
  const { channel_id } = subscription;
  const record = JSON.stringify(subscription);
  await db
    .insertInto('subscriptions')
    .values({ channel_id, record })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet({ record }))
    .execute();
}

/**
 * Leaves those that are there as they are; returns how many are new. Goes in order of id, so that two imports can't
 * wait for each other.
 */
async function addSubscriptions(db: Db, subscriptions: readonly SubscriptionRecord[]): Promise<number> {
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

/** False where there was none. */
async function deleteSubscription(db: Db, channelId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('subscriptions')
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
