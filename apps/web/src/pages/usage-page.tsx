/** What the kernel has done and cost so far, in figures and small plots. */
import type { Schema } from '@chat-kernel/client';
import { compact, dollars, plain, seconds } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Caps } from '../parts/caps.tsx';
import { Empty } from '../parts/empty.tsx';
import { Bars } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

/** The newest chats whose spend is compared. */
const COMPARED = 12;

export default function UsagePage() {
  const { client } = useKernel();
  const { value, error } = useLoaded(() => client.getStats());
  return (
    <Page title="Usage" about="Tokens and money of all chats, and how near the caps of the settings are.">
      {error ? <p className="error">{error}</p> : null}
      {value ? <Figures stats={value} /> : null}
      <NewestChats />
    </Page>
  );
}

type Stats = Schema<'Stats'>;

function Figures({ stats }: { stats: Stats }) {
  const { version, uptime_s, chats, messages, turns, tokens, cost_usd, modules } = stats;
  const figures = [
    ['Cost', dollars(cost_usd)],
    ['Turns', plain(Object.values(turns).reduce((sum, count) => sum + count, 0))],
    ['Messages', plain(messages)],
    ['Chats', plain(chats)],
    ['Runs for', seconds(uptime_s * 1000)],
    ['Version', version],
  ];
  return (
    <>
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name} className="figure-box">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Part title="Tokens">
        <Bars
          label="Tokens"
          bars={Object.entries(tokens).map(([name, value]) => ({
            name: name.replace(/_tokens$/, '').replaceAll('_', ' '),
            value,
            shown: compact(value),
          }))}
        />
      </Part>
      <Caps caps={stats.caps ?? []} />
      {Object.keys(modules).length > 0 ? (
        <Part title="Modules that take part">
          <p>
            {Object.entries(modules)
              .map(([name, state]) => (state === 'up' ? name : `${name} (down)`))
              .join(', ')}
          </p>
        </Part>
      ) : null}
    </>
  );
}

function NewestChats() {
  const { client, chats } = useKernel();
  const newest = useStore(chats.list).chats.slice(0, COMPARED);
  const read = () => Promise.all(newest.map(async chat => ({ chat, spend: await client.getSpend(chat.id) })));
  const { value } = useLoaded(read, newest.map(({ id }) => id).join(' '));
  if (!value) return null;
  if (value.length === 0) return <Empty title="No chat has cost anything yet." />;
  return (
    <Part title="The newest chats" about="Tokens read and written.">
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
