/** Stores the sleep of the whole kernel, as JSON. */
import type { SleepStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import { readMeta, swapMeta, writeMeta } from '../tables/meta.ts';
import { json } from '../tables/text.ts';

const KEY = 'kernel_sleep';

export const sleepStore = (transactions: Transactions): SleepStore => ({
  get: () =>
    transactions.read(async db => {
      const sleep = await readMeta(db, KEY);
      return sleep === null ? null : JSON.parse(sleep);
    }),
  swap: (before, sleep) => transactions.write(db => swapMeta(db, KEY, json(before), json(sleep))),
  save: sleep => transactions.write(db => writeMeta(db, KEY, json(sleep))),
});
