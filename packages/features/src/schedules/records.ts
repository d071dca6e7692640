/** Defines the records of schedules and their runs: one row for each due time, whatever its outcome (SCHED-2). */
import type { Schedule, ScheduleRun, TurnError } from '@chat-kernel/protocol';

export type ScheduleRecord = Omit<Schedule, 'last'>;

/** The fields that may change after creation. */
export type ScheduleChanges = Partial<Omit<ScheduleRecord, 'id' | 'created_at'>>;

export interface RunRecord extends ScheduleRun {
  schedule_id: string;
}

/** Due times that started no turn. */
export interface Settled {
  schedule_id: string;
  /** The first of them. Nothing is written if the schedule no longer waits for it. */
  due_at: string;
  next_at: string | null;
  runs: readonly { due_at: string; status: 'missed' | 'failed'; error: TurnError | null }[];
  /** The time of the decision (RFC 3339). */
  ended_at: string;
}
