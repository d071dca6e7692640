/** Days as people count them: from midnight to midnight in the time zone of the settings. */

export interface Calendar {
  /** The day, as YYYY-MM-DD. @param time milliseconds since 1970 */
  dayOf(time: number): string;
}

/** The month of a day, as YYYY-MM. */
export const monthOf = (day: string): string => day.slice(0, 7);

/** @param timezone IANA name; null: that of the machine */
export function calendarIn(timezone: string | null): Calendar {
  const format = new Intl.DateTimeFormat('en', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: timezone ?? undefined,
  });
  return {
    dayOf(time) {
      const parts = format.formatToParts(time);
      const of = (type: string) => parts.find(part => part.type === type)?.value;
      return `${of('year')}-${of('month')}-${of('day')}`;
    },
  };
}
