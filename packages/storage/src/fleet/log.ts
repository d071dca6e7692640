/**
 * The log that all kernels of a database write: events of chats, and what kernels tell each other. A line gets its
 * number under the lock of one row, so that no line becomes visible before one with a smaller number.
 */
import type { SharedLine } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { hinted } from '../database/postgres-lock.ts';
import type { Db } from '../tables/schema.ts';

/** Lines that are kept at least, and lines that may be more than that until some are dropped. */
const KEPT = 1000;
const DROPPED_AT_ONCE = 100;
/** The row of `meta` with the number of the newest line. */
export const LAST_LINE = 'fleet_last_line';

/** In one statement, so that the row with the number is held for a moment only. */
export async function appendLines(
  db: Db,
  kernel: string,
  lines: readonly Pick<SharedLine, 'told' | 'json'>[],
): Promise<void> {
  const count = lines.length;
  const told = lines.map(line => (line.told ? 1 : 0));
  const texts = lines.map(({ json }) => json);
  const { rows } = await sql<{ last: number }>`
    with counter as (
      update meta set value = (value::bigint + ${count})::text where key = ${LAST_LINE}
      returning value::bigint as last
    ), added as (
      insert into kernel_events (n, kernel, told, json)
      select counter.last - ${count} + line.place, ${kernel}, line.told, line.json
      from counter, unnest(${told}::bigint[], ${texts}::text[]) with ordinality as line (told, json, place)
      returning n
    )
    select last, ${hinted('lines')} from counter`.execute(db);
  const last = rows[0]?.last as number;
  const crossed = Math.floor(last / DROPPED_AT_ONCE) > Math.floor((last - count) / DROPPED_AT_ONCE);
  if (crossed)
    await db
      .deleteFrom('kernel_events')
      .where('n', '<=', last - KEPT)
      .execute();
}

export async function linesAfter(db: Db, n: number, most: number): Promise<SharedLine[]> {
  const rows = await db
    .selectFrom('kernel_events')
    .selectAll()
    .where('n', '>', n)
    .orderBy('n')
    .limit(most)
    .execute();
  return rows.map(row => ({ ...row, told: row.told === 1 }));
}

export async function lastLine(db: Db): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', LAST_LINE).executeTakeFirst();
  return Number(row?.value ?? 0);
}
