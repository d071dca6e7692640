/** Browsers that want word. Names come from outside: as JSON they keep each of their characters, in any database. */
import type { PushSubscriptionRecord, PushSubscriptionStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';

export class SqlPushSubscriptionStore implements PushSubscriptionStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: PushSubscriptionStore['list'] = () => this.#transactions.read(listSubscriptions);

  save: PushSubscriptionStore['save'] = subscription =>
    this.#transactions.write(db => saveSubscription(db, subscription));

  delete: PushSubscriptionStore['delete'] = id => this.#transactions.write(db => deleteSubscription(db, id));
}

/** The oldest first. */
async function listSubscriptions(db: Db): Promise<PushSubscriptionRecord[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'created_at', 'record'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, created_at, record }) => ({ ...JSON.parse(record), id, created_at }));
}

/** A browser that comes again keeps its id and its time. */
async function saveSubscription(
  db: Db,
  { id, created_at, ...fields }: PushSubscriptionRecord,
): Promise<PushSubscriptionRecord> {
  const record = JSON.stringify(fields);
  const row = await db
    .insertInto('push_subscriptions')
    .values({ id, endpoint: fields.endpoint, created_at, record })
    .onConflict(conflict => conflict.column('endpoint').doUpdateSet({ record }))
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
  return { ...fields, ...row };
}

/** False where there was none. */
async function deleteSubscription(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
