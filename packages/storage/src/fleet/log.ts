/**
 * The log that all kernels of a database write: events of chats, and messages between kernels. A line gets its number
 * under the lock of one row, so lines become visible in the order of their numbers.
 */
import type { NewSharedLine, SharedLine } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { hinted } from '../database/postgres-lock.ts';
import { decode } from '../tables/decode.ts';
import { readMeta } from '../tables/meta.ts';
import type { Db } from '../tables/schema.ts';

/** Minimum number of lines to keep, and how many may be added before some are deleted. */
const MIN_HISTORY = 1000;
const DROP_BATCH_SIZE = 100;
/** The row of `meta` with the number of the newest line. */
export const LAST_LINE = 'fleet_last_line';

/**
 * Appends in one statement, so that the row with the number is locked only for a moment. Drops lines of chats that
 * another kernel has taken since, and numbers the others without gaps.
 */
export async function appendLines(db: Db, kernel: string, lines: readonly NewSharedLine[]): Promise<void> {
  const told = lines.map(line => Number(line.told));
  const texts = lines.map(({ json }) => json);
  const chats = lines.map(({ of }) => of?.chat_id ?? null);
  const epochs = lines.map(({ of }) => of?.epoch ?? null);
  const { rows } = await sql<{ last: number; count: number }>`
    with line as (
      select told, json, row_number() over (order by given.place) as place
      from unnest(${told}::bigint[], ${texts}::text[], ${chats}::text[], ${epochs}::bigint[])
        with ordinality as given (told, json, chat_id, epoch, place)
      where not exists (
        select from chats where chats.id = given.chat_id and chats.epoch > given.epoch
      )
    ), added as (
      select count(*) as count from line
    ), counter as (
      update meta set value = (value::bigint + added.count)::text from added where key = ${LAST_LINE}
      returning value::bigint as last, added.count
    ), inserted as (
      insert into kernel_events (n, kernel, told, json)
      select counter.last - counter.count + line.place, ${kernel}, line.told, line.json from counter, line
      returning n
    )
    select last, count, ${hinted('lines')} from counter`.execute(db);
  const { last, count } = rows[0] as { last: number; count: number };
  const crossed = Math.floor(last / DROP_BATCH_SIZE) > Math.floor((last - count) / DROP_BATCH_SIZE);
  if (crossed)
    await db
      .deleteFrom('kernel_events')
      .where('n', '<=', last - MIN_HISTORY)
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
  return rows.map(row => decode<SharedLine>(row, { told: 'flag' }));
}

export const lastLine = async (db: Db): Promise<number> => Number(await readMeta(db, LAST_LINE));
