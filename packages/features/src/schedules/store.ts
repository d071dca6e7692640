/** Stores schedules. Texts from users are JSON, which preserves each of their characters in any database. */
import type { Schedule } from '@chat-kernel/protocol';
import {
  advanceSchedule,
  type Db,
  decodeReadable,
  type Schema,
  type Transactions,
} from '@chat-kernel/storage';
import type { Page } from '../feature.ts';
import type { RunRecord, ScheduleChanges, ScheduleRecord, Settled } from './records.ts';
import { listRuns, readRun, recordRunEndings } from './runs.ts';

export class ScheduleStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  create(schedule: ScheduleRecord): Promise<void> {
    return this.#transactions.write(async db => {
      await db.insertInto('schedules').values(encode(schedule)).execute();
    });
  }

  get(id: string): Promise<Schedule | undefined> {
    return this.#transactions.read(async db => {
      const found = await readSchedule(db, id);
      return found && withLast(db, found);
    });
  }

  /** Returns schedules, the oldest first. */
  list(): Promise<Schedule[]> {
    return this.#transactions.read(async db => {
      const rows = await db.selectFrom('schedules').selectAll().orderBy('created_at').orderBy('id').execute();
      const schedules: Schedule[] = [];
      for (const schedule of decodeAll(rows)) schedules.push(await withLast(db, schedule));
      return schedules;
    });
  }

  count(): Promise<number> {
    return this.#transactions.read(async db => {
      const counted = await db
        .selectFrom('schedules')
        .select(eb => eb.fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(counted.count);
    });
  }

  /** Undefined if no readable schedule has this id. */
  update(id: string, changes: ScheduleChanges): Promise<ScheduleRecord | undefined> {
    return this.#transactions.write(db => updateSchedule(db, id, changes));
  }

  /** Deletes the schedule and its runs; their turns continue. False if no schedule has this id. */
  delete(id: string): Promise<boolean> {
    return this.#transactions.write(async db => {
      const { numDeletedRows } = await db.deleteFrom('schedules').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }

  /** Returns the schedules that are due, the longest waiting first. */
  listDue(now: string, limit: number): Promise<ScheduleRecord[]> {
    return this.#transactions.read(async db => {
      const rows = await db
        .selectFrom('schedules')
        .selectAll()
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return decodeAll(rows);
    });
  }

  /** The first due time of all schedules after a time; null if there is none. */
  nextAt(after: string): Promise<string | null> {
    return this.#transactions.read(async db => {
      const row = await db
        .selectFrom('schedules')
        .select('next_at')
        .where('next_at', '>', after)
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst();
      return row?.next_at ?? null;
    });
  }

  /**
   * Stores due times that started no turn; existing rows stay unchanged. False if the schedule waits for another time.
   */
  settle(settled: Settled): Promise<boolean> {
    return this.#transactions.write(db => settle(db, settled));
  }

  /** Returns runs, the newest first. @param page.before only runs that were due earlier */
  listRuns(id: string, page: Page): Promise<RunRecord[]> {
    return this.#transactions.read(db => listRuns(db, id, page));
  }

  run(id: string, due_at: string): Promise<RunRecord | undefined> {
    return this.#transactions.read(db => readRun(db, id, due_at));
  }
}

/** Before a chat is deleted: stores how its runs ended, and disables its schedules. */
export async function leaveChat(db: Db, chatId: string): Promise<void> {
  await recordRunEndings(db, chatId);
  await disableChatSchedules(db, chatId);
}

/** Disables the schedules of a chat that is being deleted, with the reason. */
async function disableChatSchedules(db: Db, chatId: string): Promise<void> {
  const rows = await db.selectFrom('schedules').select('id').where('chat_id', '=', chatId).execute();
  const changes = { enabled: false, next_at: null, problem: 'Its chat was deleted.' };
  for (const { id } of rows) await updateSchedule(db, id, changes);
}

async function settle(db: Db, { schedule_id, due_at, next_at, runs, ended_at }: Settled): Promise<boolean> {
  if (!(await advanceSchedule(db, schedule_id, due_at, next_at))) return false;
  const common = { schedule_id, chat_id: null, turn_id: null, started_at: null, ended_at };
  const rows = runs.map(({ error, ...run }) => ({
    ...common,
    ...run,
    error: error === null ? null : JSON.stringify(error),
  }));
  await db
    .insertInto('schedule_runs')
    .values(rows)
    .onConflict(conflict => conflict.columns(['schedule_id', 'due_at']).doNothing())
    .execute();
  return true;
}

async function readSchedule(db: Db, id: string): Promise<ScheduleRecord | undefined> {
  const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
  return row && decodeAll([row])[0];
}

async function updateSchedule(
  db: Db,
  id: string,
  changes: ScheduleChanges,
): Promise<ScheduleRecord | undefined> {
  // Sets a column to itself to lock the row.
  const row = await db
    .updateTable('schedules')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  const before = row && decodeAll([row])[0];
  if (before === undefined) return undefined;
  const after = { ...before, ...changes };
  const { chat_id, record } = encode(after);
  // If another kernel has started a run in the meantime, the next time has moved; only an explicit change may overwrite
  // it.
  const next = 'next_at' in changes ? { next_at: after.next_at } : {};
  await db
    .updateTable('schedules')
    .set({ chat_id, record, ...next })
    .where('id', '=', id)
    .execute();
  return after;
}

async function withLast(db: Db, schedule: ScheduleRecord): Promise<Schedule> {
  const [run] = await listRuns(db, schedule.id, { limit: 1 });
  const last = run ? { due_at: run.due_at, status: run.status, turn_id: run.turn_id } : null;
  return { ...schedule, last };
}

function encode({ id, created_at, next_at, chat_id, ...fields }: ScheduleRecord): Schema['schedules'] {
  return { id, created_at, next_at, chat_id, record: JSON.stringify(fields) };
}

/** Leaves out damaged rows: the other schedules run. */
const decodeAll = (rows: readonly Schema['schedules'][]): ScheduleRecord[] =>
  decodeReadable(
    'schedules',
    rows,
    ({ record, id, created_at, next_at, chat_id }) => ({
      // Schedules of earlier versions have none.
      grants: [],
      ...JSON.parse(record),
      id,
      created_at,
      next_at,
      chat_id,
    }),
    ({ id }) => id,
  );
