/**
 * The log that all kernels of a database write: events of chats, and what kernels tell each other. A line gets its
 * number under the lock of one row, so that no line becomes visible before one with a smaller number.
 */
import type { SharedLine } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { hintAll } from '../database/postgres-lock.ts';
import type { Db } from '../tables/schema.ts';

/** Lines that are kept at least, and lines that may be more than that until some are dropped. */
const KEPT = 1000;
const DROPPED_AT_ONCE = 100;
/** Lines that are read at once. */
const MOST_READ = 500;
/** The row of `meta` with the number of the newest line. */
export const LAST_LINE = 'fleet_last_line';

/** In a transaction. */
export async function appendLines(
  db: Db,
  kernel: string,
  lines: readonly Pick<SharedLine, 'told' | 'json'>[],
): Promise<void> {
  const count = lines.length;
  const { rows } = await sql<{ last: number }>`
    update meta set value = (value::bigint + ${count})::text where key = ${LAST_LINE}
    returning value::bigint as last`.execute(db);
  const last = rows[0]?.last as number;
  const first = last - count + 1;
  await db
    .insertInto('kernel_events')
    .values(lines.map(({ told, json }, place) => ({ n: first + place, kernel, told: told ? 1 : 0, json })))
    .execute();
  const crossed = Math.floor(last / DROPPED_AT_ONCE) > Math.floor((first - 1) / DROPPED_AT_ONCE);
  if (crossed)
    await db
      .deleteFrom('kernel_events')
      .where('n', '<=', last - KEPT)
      .execute();
  await hintAll(db);
}

export async function linesAfter(db: Db, n: number): Promise<SharedLine[]> {
  const rows = await db
    .selectFrom('kernel_events')
    .selectAll()
    .where('n', '>', n)
    .orderBy('n')
    .limit(MOST_READ)
    .execute();
  return rows.map(row => ({ ...row, told: row.told === 1 }));
}

export async function lastLine(db: Db): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', LAST_LINE).executeTakeFirst();
  return Number(row?.value ?? 0);
}
