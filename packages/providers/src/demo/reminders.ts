/** Parses reminders in plain language: "in 2 minutes to drink tea", "every morning at 8: what is on today?". */
import type { JsonObject } from '@chat-kernel/protocol';

const MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Day names in cron syntax. */
const DAYS: Readonly<Record<string, string>> = {
  day: '*',
  morning: '*',
  evening: '*',
  weekday: 'MON-FRI',
  monday: 'MON',
  tuesday: 'TUE',
  wednesday: 'WED',
  thursday: 'THU',
  friday: 'FRI',
  saturday: 'SAT',
  sunday: 'SUN',
};

/**
 * Returns the input to add with the tool `schedule`; undefined if the text contains no known time.
 * @param now in milliseconds
 */
export function reminderIn(words: string, now: number): JsonObject | undefined {
  const [once, count, unit] = /\bin (\d{1,4}) (second|minute|hour|day)s?\b/i.exec(words) ?? [];
  if (once !== undefined) {
    const ms = MS[unit?.toLowerCase() as keyof typeof MS];
    return { text: reminderText(words, once), at: new Date(now + Number(count) * ms).toISOString() };
  }
  const [again, named = '', hour, minute = '0'] =
    /\bevery ([a-z]+)(?: at (\d{1,2})(?::(\d{2}))?)?\b/i.exec(words) ?? [];
  const day = DAYS[named.toLowerCase()];
  if (again === undefined || day === undefined) return undefined;
  const usual = named.toLowerCase() === 'evening' ? 20 : 8;
  return { text: reminderText(words, again), cron: `${Number(minute)} ${Number(hour ?? usual)} * * ${day}` };
}

/** Returns the text without the time. */
function reminderText(words: string, time: string): string {
  const about = words
    .replace(time, ' ')
    .trim()
    .replace(/^(?:to|that|of|about)\s+|^[:,]\s*/i, '');
  return about === '' ? 'A reminder' : `A reminder: ${about}`;
}
