/** Formats numbers, money, durations and first letters, with the same text in every client. */

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const PLAIN = new Intl.NumberFormat('en');

/** `999`, `12.3k`, `1.2M`. */
export const compact = (value: number): string => COMPACT.format(value).replace('K', 'k');

/** `1,234,567`. */
export const plain = (value: number): string => PLAIN.format(value);

/** `1 item`, `3 items`. */
export const counted = (count: number, noun: string): string =>
  `${plain(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Formats money, with more digits for smaller amounts. Null is an unknown price, not 0. */
export function dollars(value: number | null): string {
  if (value === null) return 'price unknown';
  if (value === 0) return '$0';
  return `$${value.toFixed(value < 0.01 ? 4 : value < 1 ? 3 : 2)}`;
}

/** Formats milliseconds as `4 s`, `2 min 5 s`, `3 h 20 min`, `4 days 1 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(`${minutes} min`, seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? withRest(`${hours} h`, minutes % 60, 'min')
    : withRest(`${Math.floor(hours / 24)} days`, hours % 24, 'h');
}

const withRest = (text: string, rest: number, unit: string): string =>
  rest === 0 ? text : `${text} ${rest} ${unit}`;

/** `1st`, `2nd`, `11th`. */
export function ordinal(value: number): string {
  const endings = ['th', 'st', 'nd', 'rd'];
  const isTeen = value % 100 > 10 && value % 100 < 14;
  return `${value}${isTeen ? 'th' : (endings[value % 10] ?? 'th')}`;
}

/** Returns the text with a capital letter at its beginning. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
