/**
 * A due time becomes a turn, in the transaction of the turn: by a row that nobody else has written, and only while its
 * schedule still waits for that time. So neither a crash nor a second kernel makes two of one.
 */
import type { RunClaim, TurnRecord } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';

/** Throws where the time is not there to be claimed. */
export async function claimRun(
  db: Db,
  { id: turn_id, chat_id }: Pick<TurnRecord, 'chat_id' | 'id'>,
  { schedule_id, due_at, next_at }: RunClaim,
): Promise<void> {
  if (next_at !== undefined && !(await advance(db, schedule_id, due_at, next_at)))
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

/** Lets a schedule wait for its next time; false, and no change, where it does not wait for `due_at`. */
export async function advance(
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
