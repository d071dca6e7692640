/**
 * Reserves the possible cost of provider requests in progress, for several kernels on one database (FLEET-4). Each
 * reservation increases a number, and succeeds only if that number is unchanged since the kernel read it. So a decision
 * based on outdated data has no effect, and no lock is held while a kernel decides.
 */
import type { SpendStanding } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { readByDay } from '../spend/spend-by-day.ts';
import type { Db, Schema } from '../tables/schema.ts';

/**
 * Prefixes of rows in `meta`: what owners have added to a cap, and which kernel asks about one. The name of the cap
 * follows.
 */
const RAISED = 'spend_raised ';
const ASKING = 'spend_asking ';

/** The row of `meta` with that number. */
export const LAST_RESERVATION = 'fleet_last_reservation';

export async function spendStanding(db: Db, kernel: string, from: string): Promise<SpendStanding> {
  const { rows } = await sql<{ version: string; count: number; usd: number; tokens: number }>`
    select meta.value as version, count(other.id) as count,
      coalesce(sum(other.usd), 0) as usd, coalesce(sum(other.tokens), 0)::bigint as tokens
    from meta left join spend_reservations as other
      on other.kernel <> ${kernel} and exists (select 1 from kernels where kernels.id = other.kernel)
    where meta.key = ${LAST_RESERVATION} group by meta.value`.execute(db);
  const { version, ...reserved } = rows[0]!;
  // Read after the reservations: a request that ends between the two reads is counted twice rather than not at all.
  const days = await readByDay(db, from);
  const raises = await db.selectFrom('meta').selectAll().where('key', 'like', `${RAISED}%`).execute();
  const raised = raises.map(({ key, value }) => ({ cap: key.slice(RAISED.length), by: Number(value) }));
  return { version, days, reserved, raised };
}

export async function raiseSpend(db: Db, cap: string, by: number): Promise<void> {
  const key = RAISED + cap;
  await sql`
    insert into meta (key, value) values (${key}, ${String(by)})
    on conflict (key) do update set value = (meta.value::double precision + excluded.value::double precision)::text`.execute(
    db,
  );
  // Names end with their period, which sorts by time.
  const older = key.slice(0, key.lastIndexOf(' ') + 1);
  await db.deleteFrom('meta').where('key', 'like', `${older}%`).where('key', '<', key).execute();
}

export async function askSpend(db: Db, kernel: string, cap: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into meta (key, value) values (${ASKING + cap}, ${kernel})
    on conflict (key) do update set value = excluded.value
    where meta.value = excluded.value or not exists (select 1 from kernels where kernels.id = meta.value)`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

export async function askedSpend(db: Db, kernel: string, cap: string): Promise<void> {
  await db
    .deleteFrom('meta')
    .where('key', '=', ASKING + cap)
    .where('value', '=', kernel)
    .execute();
}

export async function reserveSpend(
  db: Db,
  { id, kernel, usd, tokens }: Schema['spend_reservations'],
  version: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with place as (
      update meta set value = (value::bigint + 1)::text where key = ${LAST_RESERVATION} and value = ${version}
      returning value
    )
    insert into spend_reservations (id, kernel, usd, tokens)
    select ${id}, ${kernel}, ${usd}, ${tokens} from place`.execute(db);
  return numAffectedRows === 1n;
}

export async function freeSpend(db: Db, id: string): Promise<void> {
  await db.deleteFrom('spend_reservations').where('id', '=', id).execute();
}

/**
 * Removes reservations of dead kernels, which are already ignored.
 * @param kernel id of a kernel that is about to register
 */
export async function dropVoidSpend(db: Db, kernel: string): Promise<void> {
  await sql`
    delete from spend_reservations
    where kernel <> ${kernel} and not exists (select 1 from kernels where kernels.id = spend_reservations.kernel)`.execute(
    db,
  );
}
