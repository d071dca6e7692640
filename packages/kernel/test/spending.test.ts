import { Settings } from '@chat-kernel/protocol';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { DaySpend, SpendRow } from '../src/index.ts';
import { type CapStatus, nearWords, raiseFor, reachedWords } from '../src/spend/caps.ts';
import { Reservations } from '../src/spend/reservations.ts';
import { calendarIn } from '../src/spend/spend-totals.ts';
import { Spending } from '../src/spend/spending.ts';

const HOUR = 60 * 60 * 1000;
const MODEL = { id: 'maker/model', price: { input: 1, output: 1 } };

const used = (cost_usd: number | null, tokens = 10) => ({
  prompt_tokens: tokens - 4,
  completion_tokens: 4,
  reasoning_tokens: 3,
  cached_tokens: 2,
  cost_usd,
});

/** Opens spending over a store with these days, at a time. @param asked how often the store was read */
async function spendingAt(
  time: string,
  spend: object,
  { days = [], rows = [], zone = 'UTC' }: { days?: DaySpend[]; rows?: SpendRow[]; zone?: string } = {},
) {
  const clock = new ManualClock();
  clock.advance(Date.parse(time) - clock.now());
  const asked: string[] = [];
  const store = {
    fleet: null,
    spend: {
      listDays: async (from: string) => {
        asked.push(from);
        return days.filter(({ day }) => day >= from);
      },
      list: async (chat: string) => {
        asked.push(chat);
        return rows;
      },
    },
  };
  const models = { find: (id: string) => (id === MODEL.id ? ({ record: MODEL } as never) : undefined) };
  const spending = new Spending({ store, models, clock }, Settings.parse({ spend }).spend, zone);
  await spending.load();
  const spentOf = () => spending.shownOfAll()?.map(({ spent }) => spent);
  return { clock, spending, asked, spentOf };
}

describe('a day', () => {
  const dayIn = (zone: string, time: string) => calendarIn(zone).dayOf(Date.parse(time));

  it('starts at midnight in the configured time zone', () => {
    expect(dayIn('UTC', '2026-01-31T23:59:59.999Z')).toBe('2026-01-31');
    expect(dayIn('UTC', '2026-02-01T00:00:00Z')).toBe('2026-02-01');
    expect(dayIn('Asia/Kolkata', '2026-01-31T18:29:59Z')).toBe('2026-01-31');
    expect(dayIn('Asia/Kolkata', '2026-01-31T18:30:00Z')).toBe('2026-02-01');
    expect(dayIn('America/New_York', '2026-01-01T04:59:59Z')).toBe('2025-12-31');
  });

  it('has 23 or 25 hours on clock changes', () => {
    const hoursOf = (day: string, from: string) =>
      Array.from({ length: 60 }, (_, hour) =>
        calendarIn('Europe/Berlin').dayOf(Date.parse(from) + hour * HOUR),
      ).filter(each => each === day).length;
    expect(hoursOf('2026-03-29', '2026-03-28T00:00:00Z')).toBe(23);
    expect(hoursOf('2026-10-25', '2026-10-24T00:00:00Z')).toBe(25);
    expect(hoursOf('2026-06-01', '2026-05-31T00:00:00Z')).toBe(24);
  });
});

describe('the spend', () => {
  const caps = { per_day: { usd: 5 }, per_month: { tokens: 1000 } };

  it('is read once, and counted in memory across midnights and the end of the month', async () => {
    const days = [
      { day: '2026-02-28', model: MODEL.id, ...used(9, 900) },
      { day: '2026-03-28', model: MODEL.id, ...used(1, 20) },
      { day: '2026-03-28', model: 'other/one', ...used(0.5, 10) },
    ];
    // Half an hour before the midnight of the day that has 23 hours.
    const { clock, spending, asked, spentOf } = await spendingAt('2026-03-28T22:30:00Z', caps, {
      days,
      zone: 'Europe/Berlin',
    });
    expect(spentOf()).toEqual([1.5, 30]);
    expect(spending.record(used(1), MODEL.id, null)).toEqual({
      day: '2026-03-28',
      model: MODEL.id,
      ...used(1),
    });
    expect(spentOf()).toEqual([2.5, 40]);
    clock.advance(HOUR);
    expect(spentOf()).toEqual([0, 40]);
    expect(spending.record(used(2), MODEL.id, 'chat').day).toBe('2026-03-29');
    clock.advance(22 * HOUR);
    expect(spentOf()).toEqual([2, 50]);
    clock.advance(HOUR);
    expect(spentOf()).toEqual([0, 50]);
    clock.advance(48 * HOUR);
    expect(spentOf()).toEqual([0, 0]);
    expect(spending.record(used(1), MODEL.id, null).day).toBe('2026-04-01');
    expect(spentOf()).toEqual([1, 10]);
    expect(asked).toEqual(['2026-03-01']);
  });

  it('uses the current price if the price was unknown, and is not counted without one', async () => {
    const days = [
      { day: '2026-03-28', model: MODEL.id, ...used(null, 1_000_000) },
      { day: '2026-03-28', model: 'gone/model', ...used(null) },
    ];
    const { spentOf } = await spendingAt('2026-03-28T12:00:00Z', { per_day: { usd: 5 } }, { days });
    expect(spentOf()).toEqual([expect.closeTo(1, 9)]);
  });

  it('of a chat is read once per turn', async () => {
    const rows = [{ model: MODEL.id, turns: 3, ...used(1) }];
    const { spending, asked } = await spendingAt('2026-03-28T12:00:00Z', { per_chat: { usd: 2 } }, { rows });
    const turn = { record: { id: 'turn', chat_id: 'chat' }, model: { id: MODEL.id, usage: used(0, 4) } };
    await spending.begin(turn, MODEL as never);
    for (const _ of [1, 2]) spending.record(used(0.25), MODEL.id, 'chat');
    spending.record(used(7), MODEL.id, 'other');
    expect(spending.of(turn)).toMatchObject([{ scope: 'chat', spent: 1.5, cap: 2 }]);
    expect(asked).toEqual(['chat']);
  });

  it('is not read without caps', async () => {
    const { spending, asked } = await spendingAt('2026-03-28T12:00:00Z', {});
    const turn = { record: { id: 'turn', chat_id: 'chat' }, model: { id: 'un/priced', usage: used(null) } };
    await spending.begin(turn, { id: 'un/priced', price: null } as never);
    expect(spending.of(turn)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('a raised cap', () => {
  it('stays raised for its period, and warns once in each period', async () => {
    const { clock, spending } = await spendingAt('2026-03-28T12:00:00Z', {
      per_day: { usd: 5 },
    });
    const turn = { record: { id: 'turn', chat_id: 'chat' }, model: { id: MODEL.id, usage: used(0) } };
    const cap = () => spending.of(turn)[0] as CapStatus;
    spending.record(used(5), MODEL.id, null);
    const yesterday = cap();
    expect([spending.tellsNear(cap()), spending.tellsNear(cap())]).toEqual([true, false]);
    await spending.raise(cap());
    expect(cap()).toMatchObject({ cap: 6, raised_by: 1 });
    spending.end(turn);
    expect(cap()).toMatchObject({ cap: 6 });
    clock.advance(24 * HOUR);
    expect(cap()).toMatchObject({ cap: 5, raised_by: 0, spent: 0 });
    expect(spending.tellsNear(cap())).toBe(true);
    // A response that arrives after midnight does not change the day that has begun.
    await spending.raise(yesterday);
    expect(cap()).toMatchObject({ cap: 5 });
    expect(spending.tellsNear(cap())).toBe(false);
  });

  const status = (unit: 'usd' | 'tokens', amount: number, spent: number, cap = amount): CapStatus => ({
    of: { scope: 'day', unit, amount, setting: '' },
    period: '2026-03-28',
    scope: 'day',
    unit,
    spent,
    cap,
    raised_by: 0,
  });

  it.each([
    ['usd', 5, 5.2, 5, 1],
    ['usd', 5, 6, 5, 2],
    ['usd', 1, 1.2, 1, 0.4],
    ['usd', 0.02, 0.02, 0.02, 0.01],
    ['usd', 5, 6.1, 6, 1],
    ['tokens', 100, 100, 100, 1000],
    ['tokens', 10_001, 10_001, 10_001, 2001],
    ['tokens', 10_000, 50_000, 10_000, 42_000],
  ] as const)('in %s of %d, with %d spent of %d, is raised by %d, enough to continue', (unit, amount, spent, cap, by) => {
    const raise = raiseFor(status(unit, amount, spent, cap));
    expect(raise).toBeCloseTo(by, 9);
    expect(cap + raise).toBeGreaterThan(spent);
  });

  it('is described in plain text', () => {
    expect(nearWords(status('usd', 5, 4.123))).toBe("80 % of today's 5.00 USD is spent: 4.12 USD.");
    expect(reachedWords(status('usd', 0.02, 0.0251))).toBe("All of today's 0.02 USD is spent: 0.0251 USD");
    expect(reachedWords(status('tokens', 2000, 2100))).toBe(
      "All of today's 2000 tokens is spent: 2100 tokens",
    );
  });
});

describe('an ended turn', () => {
  const turn = (id: string) => ({
    record: { id, chat_id: 'c' },
    model: { id: MODEL.id, usage: used(1) },
  });

  it('is removed, but not the turn that has started in its chat since', async () => {
    const { spending } = await spendingAt('2026-03-28T22:30:00Z', { per_turn: { usd: 5 } });
    const [lost, next] = [turn('lost'), turn('next')];
    await spending.begin(lost, MODEL as never);
    await spending.begin(next, MODEL as never);
    spending.end(lost);
    expect(spending.shown('c', [])).toMatchObject([{ spent: 1 }]);
    spending.end(next);
    expect(spending.shown('c', [])).toBeUndefined();
  });
});

describe('[FLEET-4] a reservation in the database', () => {
  const wanted = { turn_id: 't', chat_id: 'c', cost: { usd: 1, tokens: 10 } };
  const standing = { version: '0', days: [], reserved: { count: 0, usd: 0, tokens: 0 }, raised: [] };
  const settle = () => new Promise(resolve => setImmediate(resolve));

  /** A database that never responds while it is unavailable. */
  function reservations() {
    const clock = new ManualClock();
    const rows = new Set<string>();
    const at = { isAway: false };
    const answer = <Value>(value: Value): Value => {
      if (at.isAway) throw new Error('the database is away');
      return value;
    };
    const fleet = {
      reserveSpend: async (id: string) => {
        rows.add(id);
        return answer(true);
      },
      freeSpend: async (id: string) => {
        answer(null);
        rows.delete(id);
      },
    };
    return { clock, rows, at, made: new Reservations(fleet, clock, () => {}) };
  }

  it('is released when the database is back, because others wait for it', async () => {
    const { clock, rows, at, made } = reservations();
    const reservation = await made.take(wanted, standing);
    at.isAway = true;
    reservation?.free();
    await settle();
    expect(rows.size).toBe(1);
    at.isAway = false;
    clock.advance(250);
    await settle();
    expect(rows.size).toBe(0);
  });

  it('is released if its acknowledgment was lost', async () => {
    const { clock, rows, at, made } = reservations();
    at.isAway = true;
    await expect(made.take(wanted, standing)).rejects.toThrow('away');
    expect(rows.size).toBe(1);
    at.isAway = false;
    await settle();
    clock.advance(250);
    await settle();
    expect(rows.size).toBe(0);
  });
});
