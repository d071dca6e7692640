/**
 * Reads and stores runs of schedules. The state of a run with a turn is read from the turn, so its end is written only
 * once.
 */
import type { TurnError } from '@chat-kernel/protocol';
import { type Db, decodeReadable, type Schema } from '@chat-kernel/storage';
import type { Page } from '../feature.ts';
import type { RunRecord } from './records.ts';

/** The number of runs kept per schedule; older ones are deleted. */
const KEPT_RUNS = 10_000;

const GONE: TurnError = { code: 'internal', message: 'The turn of this run was deleted.', retryable: false };
const DAMAGED: TurnError = {
  code: 'internal',
  message: 'The error of this run is damaged in the database.',
  retryable: false,
};

/** Selects runs with the state of their turns. */
const runsWithTurns = (db: Db) =>
  db
    .selectFrom('schedule_runs as run')
    .leftJoin('turns as turn', 'turn.id', 'run.turn_id')
    .selectAll('run')
    .select([
      'turn.status as turn_status',
      'turn.started_at as turn_started_at',
      'turn.ended_at as turn_ended_at',
      'turn.error as turn_error',
    ]);

type Found = Awaited<ReturnType<ReturnType<typeof runsWithTurns>['execute']>>[number];

/** Returns runs, the newest first. */
export async function listRuns(db: Db, id: string, { limit, before }: Page): Promise<RunRecord[]> {
  let query = runsWithTurns(db).where('run.schedule_id', '=', id).orderBy('run.due_at', 'desc').limit(limit);
  if (before !== undefined) query = query.where('run.due_at', '<', before);
  return (await query.execute()).map(decode);
}

export async function readRun(db: Db, id: string, due_at: string): Promise<RunRecord | undefined> {
  const row = await runsWithTurns(db)
    .where('run.schedule_id', '=', id)
    .where('run.due_at', '=', due_at)
    .executeTakeFirst();
  return row && decode(row);
}

/** Stores how the runs of a chat ended, before the chat is deleted with its turns. */
export async function recordRunEndings(db: Db, chatId: string): Promise<void> {
  const rows = await runsWithTurns(db)
    .where('run.chat_id', '=', chatId)
    .where('run.status', 'is', null)
    .execute();
  for (const row of rows) {
    const { status, started_at, ended_at, error } = decode(row);
    await db
      .updateTable('schedule_runs')
      .set({
        // A turn that has not ended is deleted with its chat.
        status: status === 'running' ? 'cancelled' : status,
        started_at,
        ended_at,
        error: error === undefined ? null : JSON.stringify(error),
      })
      .where('schedule_id', '=', row.schedule_id)
      .where('due_at', '=', row.due_at)
      .execute();
  }
}

/** Deletes old runs; for regular maintenance. */
export async function forgetOldRuns(db: Db, kept = KEPT_RUNS): Promise<void> {
  const schedules = await db.selectFrom('schedules').select('id').execute();
  for (const { id } of schedules) {
    const oldest = await db
      .selectFrom('schedule_runs')
      .select('due_at')
      .where('schedule_id', '=', id)
      .orderBy('due_at', 'desc')
      .offset(kept)
      .limit(1)
      .executeTakeFirst();
    if (oldest)
      await db
        .deleteFrom('schedule_runs')
        .where('schedule_id', '=', id)
        .where('due_at', '<=', oldest.due_at)
        .execute();
  }
}

function decode({ turn_status, turn_started_at, turn_ended_at, turn_error, ...row }: Found): RunRecord {
  const { status, error: own, ...run } = row satisfies Schema['schedule_runs'];
  if (status !== null) return shown(run, status, own);
  if (turn_status === null) return { ...run, status: 'failed', error: GONE };
  const isOver = turn_status === 'completed' || turn_status === 'failed' || turn_status === 'cancelled';
  const times = { started_at: turn_started_at, ended_at: turn_ended_at };
  return shown({ ...run, ...times }, isOver ? turn_status : 'running', turn_error);
}

const shown = (
  run: Omit<RunRecord, 'error' | 'status'>,
  status: RunRecord['status'],
  error: string | null,
): RunRecord => ({ ...run, status, ...(error !== null && { error: parseError(error, run.schedule_id) }) });

function parseError(json: string, scheduleId: string): TurnError {
  const [error = DAMAGED] = decodeReadable<string, TurnError>(
    'schedule_runs',
    [json],
    JSON.parse,
    () => scheduleId,
  );
  return error;
}
