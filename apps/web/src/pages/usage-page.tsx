/** Shows token usage, cost and limits of all chats. */
import type { Stats } from '@chat-kernel/client';
import { compact, dollars, plain, seconds } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Caps } from '../parts/caps.tsx';
import { Empty } from '../parts/empty.tsx';
import { Bars } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';
import { Spending } from './spending.tsx';

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
    ['Uptime', seconds(uptime_s * 1000)],
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
          shown: compact(value),
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
