/** Computes the hours in which the kernel sleeps every day: `23:00-07:00` in a time zone (SLP-3). */

export interface Schedule {
  /** Minutes after midnight. */
  from: number;
  to: number;
  /** IANA name of the zone; undefined: that of the machine. */
  timezone: string | undefined;
}

const HOURS = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)$/;
const DAY = 24 * 60;
const MINUTE_MS = 60_000;
/** The maximum clock change of any time zone in a night. */
const MAX_CLOCK_SHIFT_MS = 3 * 60 * MINUTE_MS;

/** Parses hours such as `23:00-07:00`. @throws RangeError with the expected format */
export function parseSchedule(text: string, timezone: string | null): Schedule {
  const [, fromHour, fromMinute, toHour, toMinute] = HOURS.exec(text.trim()) ?? [];
  if (toMinute === undefined) throw new RangeError('expected hours such as 23:00-07:00');
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  if (from === to)
    throw new RangeError('expected two different times; otherwise the kernel would never wake');
  return { from, to, timezone: timezone ?? undefined };
}

/** @throws RangeError if there is no such time zone */
export function checkTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw new RangeError('expected the name of a time zone such as Europe/Berlin');
  }
}

/** The remaining milliseconds of sleep at `time`; 0 outside of the hours of sleep. */
export function sleepLeft(schedule: Schedule, time: number): number {
  const minuteOf = minutesIn(schedule.timezone);
  const asleep = (at: number) => isSleep(schedule, minuteOf(at));
  if (!asleep(time)) return 0;
  const straight = ((schedule.to - minuteOf(time) + DAY) % DAY) * MINUTE_MS;
  // A clock change within the hours makes them longer or shorter, so their end is searched around the regular one.
  let end = time - (time % MINUTE_MS) + straight;
  end = Math.max(end - MAX_CLOCK_SHIFT_MS, time - (time % MINUTE_MS));
  while (asleep(end)) end += MINUTE_MS;
  return end - time;
}

const isSleep = ({ from, to }: Schedule, minute: number): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to;

/** Returns a function that computes the minute of the day at a time. */
function minutesIn(timezone: string | undefined): (time: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
    timeZone: timezone,
  });
  return time => {
    const parts = format.formatToParts(time);
    const of = (type: string) => Number(parts.find(part => part.type === type)?.value);
    return of('hour') * 60 + of('minute');
  };
}
