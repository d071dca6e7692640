/** Shows spending of the last days: by day, by model and by surface. */
import type { SpendReport } from '@chat-kernel/client';
import { useState } from 'react';
import { compact, dollars, plain } from '../base/amounts.ts';
import { useKernel } from '../kernel/context.ts';
import { DayChart } from '../parts/day-chart.tsx';
import { SelectField } from '../parts/field.tsx';
import { Bars } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

type Report = SpendReport;
type Row = Omit<Report['rows'][number], 'key'>;

const PERIODS = [7, 30, 90];
const SURFACES: Readonly<Record<string, string>> = {
  client: 'Page, terminal and apps',
  schedule: 'Schedules',
  other: 'Titles and other calls',
};

export function Spending() {
  const { client } = useKernel();
  const [days, setDays] = useState(30);
  const { value, error } = useLoaded(
    () =>
      Promise.all([
        client.getSpendReport({ days, by: 'day' }),
        client.getSpendReport({ days, by: 'model' }),
        client.getSpendReport({ days, by: 'surface' }),
      ]),
    days,
  );
  const [byDay, byModel, bySurface] = value ?? [];
  return (
    <Part title="Spending">
      <SelectField
        label="Period"
        value={String(days)}
        onChange={value => setDays(Number(value))}
        options={PERIODS.map(count => [String(count), `Last ${count} days`])}
      />
      {error ? <p className="error">{error}</p> : null}
      {byDay && byModel && bySurface ? (
        <>
          <p className="figure">
            <strong>{dollars(byDay.total.cost_usd)}</strong> for {plain(tokensOf(byDay.total))} tokens
          </p>
          {byDay.rows.length === 0 ? (
            <p className="hint">No usage in this period.</p>
          ) : (
            <>
              <Days report={byDay} />
              <h3>By model</h3>
              <Shares label="Spending by model" report={byModel} name={key => key} />
              <h3>By surface</h3>
              <Shares label="Spending by surface" report={bySurface} name={surfaceName} />
            </>
          )}
        </>
      ) : null}
    </Part>
  );
}

function Days({ report }: { report: Report }) {
  const measure = measureOf(report);
  const rows = new Map(report.rows.map(row => [row.key, row]));
  const label = measure === tokensOf ? 'Tokens by day' : 'Cost by day';
  return (
    <>
      <h3>{label}</h3>
      <DayChart
        label={label}
        headings={['Cost', 'Tokens', 'Turns']}
        days={daysOf(report).map(day => {
          const row = rows.get(day);
          const value = row ? measure(row) : 0;
          return {
            day,
            value,
            shown: measure === tokensOf ? `${compact(value)} tokens` : dollars(value),
            more: row ? [dollars(row.cost_usd), compact(tokensOf(row)), plain(row.turns)] : [],
          };
        })}
      />
    </>
  );
}

function Shares({ label, report, name }: { label: string; report: Report; name(key: string): string }) {
  const measure = measureOf(report);
  return (
    <Bars
      label={label}
      bars={report.rows
        .toSorted((a, b) => measure(b) - measure(a))
        .map(row => ({
          name: name(row.key),
          value: measure(row),
          shown: `${dollars(row.cost_usd)} · ${compact(tokensOf(row))}`,
        }))}
    />
  );
}

const tokensOf = ({ prompt_tokens, completion_tokens }: Row): number => prompt_tokens + completion_tokens;
const costOf = ({ cost_usd }: Row): number => cost_usd ?? 0;

/** Compares costs only if each is known: a column without a price would look like no spending. */
const measureOf = ({ rows }: Report): ((row: Row) => number) =>
  rows.every(({ cost_usd }) => cost_usd !== null) && rows.some(row => costOf(row) > 0) ? costOf : tokensOf;

const surfaceName = (key: string): string =>
  SURFACES[key] ?? `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;

/** Returns every day of the period, oldest first. */
function daysOf({ from, to }: Report): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
