/** Formats amounts and times. */

/** `1 line`, `120 lines`. */
export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** Formats milliseconds as `4 s`, `2 min 5 s`, `3 h 20 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** `999`, `12.3k`, `1.2M`. */
export function short(amount: number): string {
  if (amount < 1000) return String(Math.round(amount));
  if (amount < 999_950) return `${(amount / 1000).toFixed(1).replace(/\.0$/, '')}k`;
  return `${(amount / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`;
}

/** Formats dollars. Null is an unknown price, not 0. */
export function cost(usd: number | null): string {
  if (usd === null) return 'cost unknown';
  if (usd === 0) return '$0';
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** Formats hour and minute in local time, with the date if the day differs from `now` (milliseconds). */
export function moment(iso: string, now: number): string {
  const at = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const sameDay = new Date(now).toDateString() === at.toDateString();
  return sameDay ? time : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

/** Formats the time until the kernel retries a provider. @param until RFC 3339 @param now in milliseconds */
export function providerWait(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  return `Waiting for the provider (retry in ${seconds} s)`;
}
