/**
 * What trips under way may cost, where several kernels share a database (FLEET-4). Each reservation raises a number, and
 * is made only where that is still the one that its kernel has read: who decides by what is out of date changes nothing,
 * and no lock is held while a kernel decides.
 */
import type { SpendStanding } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { readByDay } from '../spend/spend-by-day.ts';
import type { Db, Schema } from '../tables/schema.ts';

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
  // Read behind the reservations: a trip that ends between the two is counted twice, and not never.
  const days = await readByDay(db, from);
  return { version, days, reserved };
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

/** Removes what dead kernels have left, which counts for nothing already. @param kernel one that is about to live */
export async function dropVoidSpend(db: Db, kernel: string): Promise<void> {
  await sql`
    delete from spend_reservations
    where kernel <> ${kernel} and not exists (select 1 from kernels where kernels.id = spend_reservations.kernel)`.execute(
    db,
  );
}
