/** Schedules and their runs: one row for each time that was due, whatever became of it (SCHED-2). */
import type { Schedule, ScheduleRun, TurnError } from '@chat-kernel/protocol';
import type { ChatRecord } from './chats.ts';

export type ScheduleRecord = Omit<Schedule, 'last'>;

/** The fields that may change after the creation. */
export type ScheduleChanges = Partial<Omit<ScheduleRecord, 'id' | 'created_at'>>;

export interface RunRecord extends ScheduleRun {
  schedule_id: string;
}

/** A run that becomes a turn. */
export interface RunClaim {
  schedule_id: string;
  due_at: string;
  /**
   * The time after this one (null: none). The claim fails where the schedule does not wait for `due_at` any more.
   * Absent: a run by hand, which no time was due for.
   */
  next_at?: string | null;
  /** The new chat, made with the turn. */
  chat?: ChatRecord;
  /** The id of the kernel whose the new chat is, where several share the database. */
  owner?: string;
}

/** Due times that became no turn. */
export interface Settled {
  schedule_id: string;
  /** The first of them: nothing is written where the schedule does not wait for it any more. */
  due_at: string;
  next_at: string | null;
  runs: readonly { due_at: string; status: 'missed' | 'failed'; error: TurnError | null }[];
  /** When that was decided (RFC 3339). */
  ended_at: string;
}

export interface ScheduleStore {
  create(schedule: ScheduleRecord): Promise<void>;
  get(id: string): Promise<Schedule | undefined>;
  /** The oldest first. */
  list(): Promise<Schedule[]>;
  count(): Promise<number>;
  /** Undefined where there is none of this id. */
  update(id: string, changes: ScheduleChanges): Promise<ScheduleRecord | undefined>;
  /** With its runs; turns go on. False where there was none of this id. */
  delete(id: string): Promise<boolean>;
  /** Those whose next time has come, the longest waiting first. */
  listDue(now: string, limit: number): Promise<ScheduleRecord[]>;
  /** The next time of all schedules; null where nothing is due any more. */
  nextAt(): Promise<string | null>;
  /** Writes times that became no turn; one that has its row already keeps it. False where the schedule waits for another time. */
  settle(settled: Settled): Promise<boolean>;
  /** The newest first. @param before only runs that were due earlier */
  listRuns(id: string, page: { limit: number; before?: string }): Promise<RunRecord[]>;
  run(id: string, due_at: string): Promise<RunRecord | undefined>;
}
