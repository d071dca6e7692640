/**
 * Claims a due time of a schedule in the transaction of its turn: by inserting a unique row, and only if the schedule
 * still waits for that time. So neither a crash nor a second kernel can start two turns for one due time.
 */
import type { RunClaim, TurnRecord } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';

/** Throws if the due time cannot be claimed. */
export async function claimRun(
  db: Db,
  { id: turn_id, chat_id }: Pick<TurnRecord, 'chat_id' | 'id'>,
  { schedule_id, due_at, next_at }: RunClaim,
): Promise<void> {
  if (next_at !== undefined && !(await advanceSchedule(db, schedule_id, due_at, next_at)))
    throw new Error(`The schedule ${schedule_id} does not wait for ${due_at}.`);
  await db
    .insertInto('schedule_runs')
    .values({
      schedule_id,
      due_at,
      chat_id,
      turn_id,
      status: null,
      started_at: null,
      ended_at: null,
      error: null,
    })
    .execute();
}

/** Sets the next time of a schedule. Returns false and changes nothing if it does not wait for `due_at`. */
export async function advanceSchedule(
  db: Db,
  schedule_id: string,
  due_at: string,
  next_at: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('schedules')
    .set({ next_at })
    .where('id', '=', schedule_id)
    .where('next_at', '=', due_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
