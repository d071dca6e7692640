/** Times as people read them, in the zone of the device. */

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const wholeTime = (at: string): string => WHOLE.format(new Date(at));

/** Short: the time of today, the day of others. */
export function shortTime(at: string): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? CLOCK.format(date) : DAY.format(date);
}

/** The heading under which a chat of that day stands. */
export function dayGroup(at: string, now = Date.now()): string {
  const days = Math.floor((startOfDay(now) - startOfDay(Date.parse(at))) / 86_400_000);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? 'This week' : 'Older';
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
