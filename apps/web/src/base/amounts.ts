/** Formats numbers, money, sizes and durations. */

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const PLAIN = new Intl.NumberFormat('en');

export const compact = (value: number): string => COMPACT.format(value);
export const plain = (value: number): string => PLAIN.format(value);

/** Formats money, with more digits for smaller amounts. Null: the price is unknown. */
export function dollars(value: number | null): string {
  if (value === null) return 'price unknown';
  if (value === 0) return '$0';
  return `$${value.toFixed(value < 0.01 ? 4 : value < 1 ? 3 : 2)}`;
}

export function bytes(size: number): string {
  const steps = ['B', 'KB', 'MB', 'GB'];
  const step = Math.min(steps.length - 1, Math.floor(Math.log2(Math.max(1, size)) / 10));
  const value = size / 1024 ** step;
  return `${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${steps[step]}`;
}

export function seconds(ms: number): string {
  const whole = Math.round(ms / 1000);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? withRest(`${minutes} min`, whole % 60, 's')
    : minutes < 48 * 60
      ? withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
      : withRest(`${Math.floor(minutes / 1440)} days`, Math.floor(minutes / 60) % 24, 'h');
}

const withRest = (words: string, rest: number, unit: string): string =>
  rest === 0 ? words : `${words} ${rest} ${unit}`;

/** `1 item`, `3 items`. */
export const counted = (count: number, word: string): string =>
  `${plain(count)} ${word}${count === 1 ? '' : 's'}`;
