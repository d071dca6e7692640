/** Columns over days, with dates below them and the same figures as a table. */

interface DayFigure {
  /** YYYY-MM-DD. */
  day: string;
  value: number;
  /** The value as text. */
  shown: string;
  /** Further cells of the table, which leaves out days without any. */
  more: readonly string[];
}

interface DayChartProps {
  label: string;
  /** Headings of the table, after that of the day. */
  headings: readonly string[];
  /** Every day of the period, oldest first. */
  days: readonly DayFigure[];
}

const TICK = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
/** Noon, because midnight is another day in other time zones. */
const toDate = (day: string): Date => new Date(`${day}T12:00`);

export function DayChart({ label, headings, days }: DayChartProps) {
  const max = Math.max(...days.map(({ value }) => value), Number.MIN_VALUE);
  const top = days.reduce((best, each) => (each.value > best.value ? each : best), days[0]!);
  const middle = days[Math.floor((days.length - 1) / 2)]!;
  const ticks = [...new Set([days[0]!, middle, days.at(-1)!])];
  const summary = `${label} from ${WHOLE.format(toDate(days[0]!.day))} to ${WHOLE.format(toDate(days.at(-1)!.day))}. Most: ${top.shown} on ${WHOLE.format(toDate(top.day))}.`;
  return (
    <div className="day-chart">
      <p className="hint" aria-hidden="true">
        {top.shown}
      </p>
      <svg viewBox={`0 0 ${days.length * 10} 100`} preserveAspectRatio="none" role="img" aria-label={summary}>
        <title>{summary}</title>
        {days.map(({ day, value, shown }, index) => (
          <g key={day}>
            <title>{`${WHOLE.format(toDate(day))}: ${shown}`}</title>
            <rect className="hit" x={index * 10} width="10" height="100" />
            <rect
              className="fill"
              x={index * 10 + 1}
              y={100 - heightOf(value, max)}
              width="8"
              height={heightOf(value, max)}
            />
          </g>
        ))}
      </svg>
      <p className="ticks" aria-hidden="true">
        {ticks.map(({ day }) => (
          <time key={day} dateTime={day}>
            {TICK.format(toDate(day))}
          </time>
        ))}
      </p>
      <details>
        <summary>Show as table</summary>
        <table>
          <caption className="unseen">{label}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {headings.map(heading => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ more }) => more.length > 0)
              .toReversed()
              .map(({ day, more }) => (
                <tr key={day}>
                  <th scope="row">{WHOLE.format(toDate(day))}</th>
                  {more.map((cell, index) => (
                    <td key={headings[index]}>{cell}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

/** A day with any value has a visible column. */
const heightOf = (value: number, max: number): number => (value === 0 ? 0 : Math.max(1, (value / max) * 100));
