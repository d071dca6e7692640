/** What becomes of the times at which a schedule was due, once the kernel looks: they run, or were missed (SCHED-2). */
import type { ScheduleRecord } from '../ports/index.ts';
import { dueTimes } from './due-times.ts';

/** A time that is later than this was missed, unless the schedule catches up. */
const LATE_MS = 60_000;
/** The times that are decided at once: after a long absence there may be very many. */
export const DECIDED_AT_ONCE = 200;

interface Decision {
  /** Times that were missed; they come before `run`. */
  missed: string[];
  /** The time that runs now; null: none does, or others are to be decided first. */
  run: string | null;
  /** What comes behind; it may be over as well. Null: nothing. */
  next_at: string | null;
}

/** @param now milliseconds since 1970, at which `next_at` of the schedule is over */
export function decide(schedule: ScheduleRecord & { next_at: string }, now: number): Decision {
  const after = dueTimes(schedule);
  const missed: string[] = [];
  for (let time: number | null = Date.parse(schedule.next_at); ; ) {
    const next: number | null = after(time);
    const isLatest = next === null || next > now;
    if (now - time <= LATE_MS || (isLatest && schedule.catch_up === 'last'))
      return { missed, run: textOf(time), next_at: next === null ? null : textOf(next) };
    missed.push(textOf(time));
    if (isLatest || missed.length === DECIDED_AT_ONCE)
      return { missed, run: null, next_at: next === null ? null : textOf(next) };
    time = next;
  }
}

const textOf = (time: number): string => new Date(time).toISOString();
