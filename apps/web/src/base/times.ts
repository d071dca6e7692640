/** Formats times in the time zone of the device. */

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const wholeTime = (at: string | number): string => WHOLE.format(new Date(at));

/** Returns the time for today, and the day for other dates. */
export function shortTime(at: string): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? CLOCK.format(date) : DAY.format(date);
}

/** Returns the heading for chats of that day. */
export function dayGroup(at: string, now = Date.now()): string {
  const days = Math.floor((startOfDay(now) - startOfDay(Date.parse(at))) / 86_400_000);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? 'This week' : 'Older';
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
