/** Schedules. What people write in them is JSON, so that it keeps each of its characters in any database. */
import type { ScheduleChanges, ScheduleRecord, ScheduleStore, Settled } from '@chat-kernel/kernel';
import type { Schedule } from '@chat-kernel/protocol';
import type { Transactions } from '../database/transactions.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { advance } from './claim.ts';
import { forgetOldRuns, listRuns, readRun } from './runs.ts';

export class SqlScheduleStore implements ScheduleStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  create: ScheduleStore['create'] = schedule =>
    this.#transactions.write(async db => {
      await db.insertInto('schedules').values(encode(schedule)).execute();
    });

  get: ScheduleStore['get'] = id =>
    this.#transactions.read(async db => {
      const found = await readSchedule(db, id);
      return found && withLast(db, found);
    });

  list: ScheduleStore['list'] = () =>
    this.#transactions.read(async db => {
      const rows = await db.selectFrom('schedules').selectAll().orderBy('created_at').orderBy('id').execute();
      const schedules: Schedule[] = [];
      for (const row of rows) schedules.push(await withLast(db, decode(row)));
      return schedules;
    });

  count: ScheduleStore['count'] = () =>
    this.#transactions.read(async db => {
      const counted = await db
        .selectFrom('schedules')
        .select(eb => eb.fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(counted.count);
    });

  update: ScheduleStore['update'] = (id, changes) =>
    this.#transactions.write(db => updateSchedule(db, id, changes));

  delete: ScheduleStore['delete'] = id =>
    this.#transactions.write(async db => {
      const { numDeletedRows } = await db.deleteFrom('schedules').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    });

  listDue: ScheduleStore['listDue'] = (now, limit) =>
    this.#transactions.read(async db => {
      const rows = await db
        .selectFrom('schedules')
        .selectAll()
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(decode);
    });

  nextAt: ScheduleStore['nextAt'] = () =>
    this.#transactions.read(async db => {
      const row = await db
        .selectFrom('schedules')
        .select('next_at')
        .where('next_at', 'is not', null)
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst();
      return row?.next_at ?? null;
    });

  settle: ScheduleStore['settle'] = settled => this.#transactions.write(db => settle(db, settled));

  listRuns: ScheduleStore['listRuns'] = (id, page) => this.#transactions.read(db => listRuns(db, id, page));

  run: ScheduleStore['run'] = (id, due_at) => this.#transactions.read(db => readRun(db, id, due_at));

  /** For the upkeep: deletes runs that nobody looks back to. */
  forgetOldRuns(): Promise<void> {
    return this.#transactions.write(db => forgetOldRuns(db));
  }
}

/** Disables the schedules of a chat that is being deleted, and says why. */
export async function disableSchedulesOf(db: Db, chatId: string): Promise<void> {
  const rows = await db.selectFrom('schedules').select('id').where('chat_id', '=', chatId).execute();
  const changes = { enabled: false, next_at: null, problem: 'Its chat was deleted.' };
  for (const { id } of rows) await updateSchedule(db, id, changes);
}

async function settle(db: Db, { schedule_id, due_at, next_at, runs, ended_at }: Settled): Promise<boolean> {
  if (!(await advance(db, schedule_id, due_at, next_at))) return false;
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
  return row && decode(row);
}

async function updateSchedule(
  db: Db,
  id: string,
  changes: ScheduleChanges,
): Promise<ScheduleRecord | undefined> {
  // Set to itself, which takes the row's lock.
  const row = await db
    .updateTable('schedules')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const before = decode(row);
  const after = { ...before, ...changes };
  const { chat_id, record } = encode(after);
  // A run that another kernel began meanwhile has moved the next time, which only a change of it may overwrite.
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

function decode({ record, id, created_at, next_at, chat_id }: Schema['schedules']): ScheduleRecord {
  return { ...JSON.parse(record), id, created_at, next_at, chat_id };
}
