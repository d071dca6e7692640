/** Shows token usage, cost and limits of all chats. */
import type { SpendReport, Stats } from '@chat-kernel/client';
import { capitalize, compact, dollars, duration, plain } from '@chat-kernel/text';
import { useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Caps } from '../parts/caps.tsx';
import { DayChart } from '../parts/day-chart.tsx';
import { Empty } from '../parts/empty.tsx';
import { SelectField } from '../parts/field.tsx';
import { Bars } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

/** Number of recent chats in the comparison. */
const COMPARED = 12;

export default function UsagePage() {
  const { client } = useKernel();
  const { value, error } = useLoaded(() => client.getStats());
  return (
    <Page title="Usage" about="Tokens and cost of all chats, and your spending limits.">
      {error ? <p className="error">{error}</p> : null}
      <Spending />
      {value ? <Figures stats={value} /> : null}
      <NewestChats />
    </Page>
  );
}

const TOKEN_LABELS: Readonly<Record<string, string>> = {
  prompt_tokens: 'Input',
  cached_tokens: 'Cached input',
  completion_tokens: 'Output',
  reasoning_tokens: 'Thinking',
};

function Figures({ stats }: { stats: Stats }) {
  const { version, uptime_s, chats, messages, turns, tokens, cost_usd, modules } = stats;
  const figures = [
    ['Cost', dollars(cost_usd)],
    ['Turns', plain(Object.values(turns).reduce((sum, count) => sum + count, 0))],
    ['Messages', plain(messages)],
    ['Chats', plain(chats)],
    ['Uptime', duration(uptime_s * 1000)],
    ['Version', version],
  ];
  return (
    <Part title="Total">
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name} className="figure-box">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>Tokens</h3>
      <Bars
        label="Tokens"
        bars={Object.entries(tokens).map(([name, value]) => ({
          name: TOKEN_LABELS[name] ?? name,
          value,
        }))}
      />
      <Caps caps={stats.caps ?? []} />
      {Object.keys(modules).length > 0 ? (
        <>
          <h3>Modules</h3>
          <p>
            {Object.entries(modules)
              .map(([name, state]) => (state === 'up' ? name : `${name} (down)`))
              .join(', ')}
          </p>
        </>
      ) : null}
    </Part>
  );
}

function NewestChats() {
  const { client, chats } = useKernel();
  const newest = useStore(chats.list).chats.slice(0, COMPARED);
  const read = () => Promise.all(newest.map(async chat => ({ chat, spend: await client.getSpend(chat.id) })));
  const { value } = useLoaded(read, newest.map(({ id }) => id).join(' '));
  if (!value) return null;
  if (value.length === 0) return <Empty title="No usage yet." />;
  return (
    <Part title="Recent chats" about="Input and output tokens.">
      <Bars
        label="Tokens by chat"
        bars={value.map(({ chat, spend }) => ({
          name: chat.title ?? 'New chat',
          value: spend.prompt_tokens + spend.completion_tokens,
          shown: `${compact(spend.prompt_tokens + spend.completion_tokens)} · ${dollars(spend.cost_usd)}`,
        }))}
      />
    </Part>
  );
}

type Row = Omit<SpendReport['rows'][number], 'key'>;

const PERIODS = [7, 30, 90];
const SURFACES: Readonly<Record<string, string>> = {
  client: 'Page, terminal and apps',
  schedule: 'Schedules',
  other: 'Titles and other calls',
};

/** Shows spending of the last days: by day, by model and by surface. */
function Spending() {
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

function Days({ report }: { report: SpendReport }) {
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

function Shares({ label, report, name }: { label: string; report: SpendReport; name(key: string): string }) {
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
const measureOf = ({ rows }: SpendReport): ((row: Row) => number) =>
  rows.every(({ cost_usd }) => cost_usd !== null) && rows.some(row => costOf(row) > 0) ? costOf : tokensOf;

const surfaceName = (key: string): string => SURFACES[key] ?? capitalize(key);

/** Returns every day of the period, oldest first. */
function daysOf({ from, to }: SpendReport): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
