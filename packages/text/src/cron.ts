/** Describes cron lines in words, such as `Weekdays at 8:00`. */
import { capitalize, ordinal } from './amounts.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
/** Longer lists of times are harder to read than the cron line. */
const MAX_TIMES = 4;

/** Null if these words would not say exactly what the line does: show the line instead. */
export function describeCron(cron: string): string | null {
  const fields = cron.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5) return null;
  const time = describeTime(minute, hour);
  const days = describeDays(day, month, weekday);
  if (time === null || days === null) return null;
  if (time.startsWith('at ')) return `${days || 'Daily'} ${time}`;
  return days === '' ? capitalize(time) : `${days}, ${time}`;
}

function describeTime(minute: string, hour: string): string | null {
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  const hourStep = /^\*\/(\d+)$/.exec(hour)?.[1];
  const minutes = parseList(minute, 0, 59);
  const hours = parseList(hour, 0, 23);
  if (minute === '*' || step !== undefined) {
    const every = step === undefined || step === '1' ? 1 : Number(step);
    // Other steps leave a shorter gap at the end of each hour.
    if (every > 30 || 60 % every !== 0) return null;
    const text = every === 1 ? 'every minute' : `every ${every} minutes`;
    if (hour === '*') return text;
    if (hours === null || !isRange(hours)) return null;
    return `${text} from ${clock(hours[0]!, 0)} to ${clock(hours.at(-1)!, 60 - every)}`;
  }
  if (minutes === null) return null;
  const [at = 0] = minutes;
  const past = at === 0 ? '' : ` at minute ${at}`;
  if (hour === '*') return minutes.length === 1 ? `every hour${past}` : null;
  if (hourStep !== undefined) {
    const every = Number(hourStep);
    if (minutes.length > 1 || every < 2 || every > 12 || 24 % every !== 0) return null;
    return `every ${every} hours${past}`;
  }
  if (hours === null) return null;
  if (minutes.length * hours.length <= MAX_TIMES)
    return `at ${joined(hours.flatMap(each => minutes.map(other => clock(each, other))))}`;
  if (minutes.length > 1 || !isRange(hours)) return null;
  return `every hour from ${clock(hours[0]!, at)} to ${clock(hours.at(-1)!, at)}`;
}

/** Empty if every day is meant. */
function describeDays(day: string, month: string, weekday: string): string | null {
  const months = month === '*' ? [] : parseList(month, 1, 12, MONTHS, 1);
  if (months === null) return null;
  const monthNames = months.map(each => MONTHS[each - 1] as string);
  const inMonths = months.length === 0 ? '' : ` in ${joined(monthNames)}`;
  if (weekday !== '*') {
    // Cron runs on the days of both fields, which no short sentence says.
    if (day !== '*') return null;
    // Both 0 and 7 are Sunday.
    const listed = parseList(weekday, 0, 7, DAYS, 0)?.map(each => each % 7);
    if (!listed) return null;
    const days = [...new Set(listed)].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
    const key = days.join('');
    if (days.length === 7) return inMonths && `Daily${inMonths}`;
    const text =
      key === '12345' ? 'Weekdays' : key === '60' ? 'Weekends' : joined(days.map(each => `${DAYS[each]}s`));
    return text + inMonths;
  }
  if (day === '*') return inMonths && `Daily${inMonths}`;
  const dates = day.toUpperCase() === 'L' ? null : parseList(day, 1, 31);
  if (dates === null) {
    return day.toUpperCase() === 'L' ? `On the last day of ${monthsText(monthNames)}` : null;
  }
  if (dates.length === 1 && months.length === 1) return `On ${monthNames[0]} ${dates[0]}`;
  return dates.length <= MAX_TIMES
    ? `On the ${joined(dates.map(ordinal))} of ${monthsText(monthNames)}`
    : null;
}

const monthsText = (names: readonly string[]): string => (names.length === 0 ? 'each month' : joined(names));

/**
 * Reads numbers, ranges and lists of them, sorted; null if there is anything else.
 * @param names may be used by their first three letters
 * @param first the number of the first name
 */
function parseList(
  field: string,
  min: number,
  max: number,
  names: readonly string[] = [],
  first = 0,
): number[] | null {
  const toNumber = (text: string): number => {
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const at = names.findIndex(name => name.slice(0, 3).toUpperCase() === text.toUpperCase());
    return at < 0 ? Number.NaN : at + first;
  };
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [from = '', to = from, ...rest] = part.split('-');
    const [start, end] = [toNumber(from), toNumber(to)];
    if (rest.length > 0 || !(start >= min && end <= max && start <= end)) return null;
    for (let each = start; each <= end; each++) found.add(each);
  }
  return [...found].sort((a, b) => a - b);
}

const isRange = (sorted: readonly number[]): boolean =>
  sorted.every((each, index) => index === 0 || each === sorted[index - 1]! + 1);

const clock = (hour: number, minute: number): string => `${hour}:${String(minute).padStart(2, '0')}`;

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
