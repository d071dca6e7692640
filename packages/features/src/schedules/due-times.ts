/**
 * Calculates the due times of a schedule: those of a cron line in a time zone, or a single one (SCHED-1). When clocks
 * move forward, fixed times in the skipped hour are due once, right after it. When clocks move back, fixed times in the
 * repeated hour are due the first time only. Lines with `*` or steps in the minute or hour define an interval, so they
 * count each hour that really passes.
 */
import { checkTimezone } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import { Cron } from 'croner';

export interface Timing {
  /** Exactly one of `cron` and `at` is set. */
  cron: string | null;
  at: string | null;
  timezone: string;
}

const FIELDS = ['minute', 'hour', 'day of the month', 'month', 'weekday'] as const;

/** @throws KernelError invalid_value with the location */
export function checkTiming({ cron, at, timezone }: Timing): void {
  try {
    checkTimezone(timezone);
  } catch (error) {
    throw invalid('/timezone', `${(error as Error).message}; got ${JSON.stringify(timezone)}`);
  }
  if ((cron === null) === (at === null)) throw invalid('/cron', 'expected one of cron and at');
  if (cron !== null) checkCron(cron);
}

/**
 * Returns a function that calculates the first due time after a given time (milliseconds since 1970); null if there is
 * none.
 */
export function dueTimes({ cron, at, timezone }: Timing): (after: number) => number | null {
  if (cron === null) {
    const time = Date.parse(at as string);
    return after => (time > after ? time : null);
  }
  const times = open(cron, timezone);
  return after => times.nextRun(new Date(after))?.getTime() ?? null;
}

/** @throws KernelError invalid_value if there is no future due time */
export function firstDue(timing: Timing, now: number): string {
  const next = dueTimes(timing)(now);
  if (next !== null) return new Date(next).toISOString();
  throw timing.cron === null
    ? invalid('/at', 'this time is in the past')
    : invalid('/cron', 'no date matches these fields');
}

/** Finds the invalid field for the error. */
function checkCron(cron: string): void {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== FIELDS.length || fields[0]?.startsWith('@'))
    throw invalid('/cron', `expected five fields (${FIELDS.join(', ')}), got ${fields.length}`);
  for (const [index, field] of fields.entries()) {
    const alone = FIELDS.map((_, other) => (other === index ? field : '*')).join(' ');
    if (!isCron(alone))
      throw invalid('/cron', `the field ${FIELDS[index]} has the invalid value ${JSON.stringify(field)}`);
  }
  if (!isCron(cron)) throw invalid('/cron', 'the combination of fields is invalid');
}

function isCron(cron: string): boolean {
  try {
    open(cron, 'UTC');
    return true;
  } catch {
    return false;
  }
}

const open = (cron: string, timezone: string): Cron =>
  new Cron(cron.trim(), { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });

function invalid(pointer: string, detail: string): KernelError {
  return new KernelError('invalid_value', `${pointer.slice(1)}: ${detail}.`, {
    errors: [{ pointer, detail }],
  });
}
