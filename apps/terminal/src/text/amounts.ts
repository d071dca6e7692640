/** Formats times. */

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
