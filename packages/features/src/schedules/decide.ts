/** Decides for each due time of a schedule whether it runs or is recorded as missed (SCHED-2). */
import { dueTimes } from './due-times.ts';
import type { ScheduleRecord } from './records.ts';

/** A due time older than this is missed, unless the schedule catches up. */
const LATE_MS = 60_000;
/** Due times per decision: after a long downtime there may be very many. */
export const DECISION_BATCH_SIZE = 200;

interface Decision {
  /** Missed due times, all before `run`. */
  missed: string[];
  /** The due time that runs now; null if none does, or if others must be decided first. */
  run: string | null;
  /** The next due time, which may also have passed; null if there is none. */
  next_at: string | null;
}

/** @param now milliseconds since 1970, after `next_at` of the schedule */
export function decide(schedule: ScheduleRecord & { next_at: string }, now: number): Decision {
  const after = dueTimes(schedule);
  const missed: string[] = [];
  for (let time: number | null = Date.parse(schedule.next_at); ; ) {
    const next: number | null = after(time);
    const isLatest = next === null || next > now;
    if (now - time <= LATE_MS || (isLatest && schedule.catch_up === 'last'))
      return { missed, run: toIsoTime(time), next_at: next === null ? null : toIsoTime(next) };
    missed.push(toIsoTime(time));
    if (isLatest || missed.length === DECISION_BATCH_SIZE)
      return { missed, run: null, next_at: next === null ? null : toIsoTime(next) };
    time = next;
  }
}

const toIsoTime = (time: number): string => new Date(time).toISOString();
