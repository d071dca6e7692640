/** Tests the raises of caps and the warnings about them. */
import { Settings } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { FleetStore } from '../src/index.ts';
import { Allowances } from '../src/spend/allowances.ts';
import { type Cap, type CapStatus, capKey } from '../src/spend/caps.ts';
import { Spending } from '../src/spend/spending.ts';

const capOf = (scope: Cap['scope']): Cap => ({ scope, unit: 'usd', amount: 5, setting: `per_${scope}` });
const status = (scope: Cap['scope'], period: string) => ({ of: capOf(scope), period }) as CapStatus;
const raisesOf = (allowances: Allowances) => (scope: Cap['scope'], period: string) =>
  allowances.raisedBy(capOf(scope), period);

it('adds the raises of all kernels, which replace earlier ones, to those of this kernel', () => {
  const allowances = new Allowances();
  const raised = raisesOf(allowances);
  allowances.raise(status('day', '2026-03-28'), 1);
  allowances.raise(status('day', '2026-03-28'), 1);
  allowances.share([{ cap: capKey(capOf('day'), '2026-03-28'), by: 4 }]);
  expect([raised('day', '2026-03-28'), raised('day', '2026-03-29')]).toEqual([6, 0]);
  allowances.share([{ cap: capKey(capOf('month'), '2026-03'), by: 7 }]);
  expect([raised('day', '2026-03-28'), raised('month', '2026-03')]).toEqual([2, 7]);
});

it('drops the raises and warnings of an ended turn, and keeps all others', () => {
  const allowances = new Allowances();
  const raised = raisesOf(allowances);
  const all = [status('turn', 't'), status('turn', 'u'), status('chat', 't')];
  for (const each of all) {
    allowances.raise(each, 1);
    expect([allowances.tells(each), allowances.tells(each)]).toEqual([true, false]);
  }
  allowances.forget('turn', 't');
  expect([raised('turn', 't'), raised('turn', 'u'), raised('chat', 't')]).toEqual([0, 1, 1]);
  expect(all.map(each => allowances.tells(each))).toEqual([true, false, false]);
});

it('drops the raises of earlier days when a day begins', () => {
  const allowances = new Allowances();
  const raised = raisesOf(allowances);
  allowances.raise(status('day', '2026-03-28'), 1);
  allowances.raise(status('month', '2026-03'), 1);
  allowances.raise(status('day', '2026-03-29'), 1);
  expect([raised('day', '2026-03-28'), raised('day', '2026-03-29'), raised('month', '2026-03')]).toEqual([
    0, 1, 1,
  ]);
});

it('stores the raise of a cap of all chats for all kernels, and keeps that of a turn in memory', async () => {
  const raised: { cap: string; by: number }[] = [];
  const fleet = {
    spendStanding: async () => ({
      version: '0',
      days: [],
      reserved: { count: 0, usd: 0, tokens: 0 },
      raised,
    }),
    raiseSpend: async (cap: string, by: number) => void raised.push({ cap, by }),
  } as unknown as FleetStore;
  const store = { fleet, spend: { listDays: async () => [], list: async () => [] } };
  const published: unknown[] = [];
  const shared = { publish: (word: unknown) => void published.push(word), onChange() {} } as never;
  const settings = Settings.parse({ spend: { per_day: { usd: 5 }, per_turn: { usd: 5 } } });
  const models = { find: () => undefined };
  const spending = new Spending({ store, models, clock: new ManualClock(), shared }, settings.spend, 'UTC');
  await spending.load();
  const usage = {
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cached_tokens: 0,
    cost_usd: 0,
  };
  const turn = { record: { id: 't', chat_id: 'c' }, model: { id: 'maker/model', usage } };
  const find = (scope: string) => spending.of(turn).find(cap => cap.scope === scope) as CapStatus;
  await spending.raise(find('turn'));
  expect([raised, published]).toEqual([[], []]);
  await spending.raise(find('day'));
  expect(raised).toEqual([{ cap: capKey(find('day').of, '2026-01-01'), by: 1 }]);
  expect(published).toEqual([{ what: 'caps' }]);
  expect([find('turn').raised_by, find('day').raised_by]).toEqual([1, 1]);
});
