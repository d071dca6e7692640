/** Stores the sleep of the whole kernel. */
import type { KernelSleep, SleepStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';

const KEY = 'kernel_sleep';

export class SqlSleepStore implements SleepStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  get: SleepStore['get'] = () => this.#transactions.read(readKernelSleep);

  swap: SleepStore['swap'] = (before, sleep) =>
    this.#transactions.write(db => swapKernelSleep(db, before, sleep));

  save: SleepStore['save'] = sleep => this.#transactions.write(db => writeKernelSleep(db, sleep));
}

/** Null: awake. */
async function readKernelSleep(db: Db): Promise<KernelSleep | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
}

async function swapKernelSleep(
  db: Db,
  before: KernelSleep | null,
  sleep: KernelSleep | null,
): Promise<boolean> {
  if (before === null) {
    if (sleep === null) return (await readKernelSleep(db)) === null;
    const begun = await db
      .insertInto('meta')
      .values({ key: KEY, value: JSON.stringify(sleep) })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst();
    return Number(begun.numInsertedOrUpdatedRows) > 0;
  }
  const { numDeletedRows } = await db
    .deleteFrom('meta')
    .where('key', '=', KEY)
    .where('value', '=', JSON.stringify(before))
    .executeTakeFirst();
  if (numDeletedRows > 0n && sleep !== null) await writeKernelSleep(db, sleep);
  return numDeletedRows > 0n;
}

async function writeKernelSleep(db: Db, sleep: KernelSleep | null): Promise<void> {
  if (sleep === null) {
    await db.deleteFrom('meta').where('key', '=', KEY).execute();
    return;
  }
  const value = JSON.stringify(sleep);
  await db
    .insertInto('meta')
    .values({ key: KEY, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
