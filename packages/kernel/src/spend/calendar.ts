/** Computes days from midnight to midnight in the time zone of the settings. */

export interface Calendar {
  /** The day, as YYYY-MM-DD. @param time milliseconds since 1970 */
  dayOf(time: number): string;
}

/** The month of a day, as YYYY-MM. */
export const toMonth = (day: string): string => day.slice(0, 7);

/** @param timezone IANA name; null: that of the machine */
export const calendarIn = (timezone: string | null): Calendar =>
  timezone === null ? { dayOf: dayHere } : { dayOf: dayIn(timezone) };

/** Works without `Intl`, whose data take 8 MB of memory that most kernels do not need for anything else. */
function dayHere(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function dayIn(timezone: string): Calendar['dayOf'] {
  const format = new Intl.DateTimeFormat('en', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: timezone,
  });
  return time => {
    const parts = format.formatToParts(time);
    const of = (type: string) => parts.find(part => part.type === type)?.value;
    return `${of('year')}-${of('month')}-${of('day')}`;
  };
}
