/** The sleep of the kernel as a whole. */
import type { KernelSleep } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';

const KEY = 'kernel_sleep';

/** Null: awake. */
export async function readKernelSleep(db: Db): Promise<KernelSleep | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
}

export async function writeKernelSleep(db: Db, sleep: KernelSleep | null): Promise<void> {
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
