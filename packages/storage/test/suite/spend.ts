/** Tests spend and counts on each database. */
import type { DaySpend, SpendRow } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { newSpend } from '../records.ts';
import type { Stage } from '../stage.ts';

export function spendSuite(stage: Stage): void {
  test('sums up spend of a chat per model, and lists it by model id [CHAT-7]', async () => {
    const spend = await spender(stage);
    await spend(newSpend({ model: 'b/z', turns: 0 }));
    await spend(newSpend({ model: 'b/z', prompt_tokens: 3_000_000_000, cost_usd: 0.5 }));
    await spend(newSpend({ model: 'B/a' }));
    await spend(newSpend({ model: 'a/x' }));
    expect(await stage.store.spend.list(spend.chat)).toEqual([
      newSpend({ model: 'B/a' }),
      newSpend({ model: 'a/x' }),
      {
        model: 'b/z',
        prompt_tokens: 3_000_000_010,
        completion_tokens: 10,
        reasoning_tokens: 4,
        cached_tokens: 2,
        cost_usd: 0.75,
        turns: 1,
      },
    ]);
  });

  test.each([
    [[1, 2], 3],
    [[0, 0], 0],
    [[null, 1], null],
    [[1, null, 2], null],
    [[null, null], null],
  ])('sums costs of %j to %j: unknown stays unknown, in a chat and in the total', async (costs, sum) => {
    const [one, two] = [await spender(stage), await spender(stage)];
    for (const cost_usd of costs) await one(newSpend({ cost_usd }));
    expect((await stage.store.spend.list(one.chat))[0]?.cost_usd).toBe(sum);
    await two(newSpend({ cost_usd: 10 }));
    expect((await stage.store.spend.listTotals())[0]?.cost_usd).toBe(sum === null ? null : sum + 10);
  });

  test('sums up all chats per model in the total', async () => {
    expect(await stage.store.spend.listTotals()).toEqual([]);
    const [one, two] = [await spender(stage), await spender(stage)];
    await one(newSpend());
    await two(newSpend({ turns: 2 }));
    await two(newSpend({ model: 'a/x', cost_usd: null }));
    expect(await stage.store.spend.listTotals()).toEqual([
      newSpend({ model: 'a/x', cost_usd: null }),
      {
        model: 'maker/model',
        prompt_tokens: 20,
        completion_tokens: 10,
        reasoning_tokens: 4,
        cached_tokens: 2,
        cost_usd: 0.5,
        turns: 3,
      },
    ]);
  });

  test('[WIRE-5] counts spend outside of chats only in the total, and keeps the total of deleted chats', async () => {
    await stage.store.spend.record(newSpend({ turns: 0 }));
    await stage.store.spend.record(newSpend({ turns: 0 }));
    await stage.store.spend.record(newSpend({ model: 'a/x', turns: 0, cost_usd: null }));
    const spend = await spender(stage);
    await spend(newSpend());
    expect(await stage.store.spend.list(spend.chat)).toEqual([newSpend()]);
    const total = { ...newSpend({ model: 'a/x', turns: 0, cost_usd: null }) };
    expect(await stage.store.spend.listTotals()).toEqual([
      total,
      expect.objectContaining({ model: 'maker/model', prompt_tokens: 30, cost_usd: 0.75, turns: 1 }),
    ]);
    await stage.store.chats.delete(spend.chat);
    await stage.reopen();
    expect(await stage.store.spend.listTotals()).toEqual([
      total,
      expect.objectContaining({ model: 'maker/model', prompt_tokens: 30, cost_usd: 0.75, turns: 1 }),
    ]);
  });

  test('records all spend by day and model, and keeps it after chats are deleted', async () => {
    expect(await stage.store.spend.listDays('2026-01-01')).toEqual([]);
    const { turns: _, ...used } = newSpend();
    const day = (date: string, changes: Partial<DaySpend> = {}): DaySpend => ({
      ...used,
      day: date,
      ...changes,
    });
    const chat = await stage.chat();
    const { turn } = await stage.turn(chat.id);
    const write = (days: DaySpend[]) =>
      stage.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: {}, spend: newSpend(), days });
    await write([day('2026-01-31'), day('2026-02-01', { model: 'b/z' })]);
    await write([day('2026-02-01', { model: 'a/x', cost_usd: null })]);
    await stage.store.chats.write({
      chat_id: chat.id,
      spend: newSpend(),
      days: [day('2026-02-01', { model: 'b/z' })],
    });
    await stage.store.spend.record(newSpend(), [day('2026-02-01', { model: 'a/x' })]);
    await stage.store.spend.record(newSpend(), [day('2026-01-30')]);
    await stage.store.chats.delete(chat.id);
    await stage.reopen();
    const twice = { prompt_tokens: 20, completion_tokens: 10, reasoning_tokens: 4, cached_tokens: 2 };
    const february = [
      day('2026-02-01', { model: 'a/x', ...twice, cost_usd: null }),
      day('2026-02-01', { model: 'b/z', ...twice, cost_usd: 0.5 }),
    ];
    expect(await stage.store.spend.listDays('2026-01-31')).toEqual([day('2026-01-31'), ...february]);
    expect(await stage.store.spend.listDays('2026-02-01')).toEqual(february);
    expect(await stage.store.spend.listDays('2026-02-02')).toEqual([]);
  });

  test('adds what older versions recorded to the spend by day', async () => {
    const { turns: _, ...used } = newSpend();
    const days = ['2026-02-01', '2026-02-02'].map(day => ({ ...used, day }));
    for (let n = 0; n < 3; n++) await stage.store.spend.record(newSpend(), days);
    await stage.store.close();
    await stage.withDatabase(async ({ db }) => {
      await db
        .insertInto('spend_by_day')
        .values([
          { ...used, day: '2026-01-31' },
          { ...used, day: '2026-02-01', cost_usd: null },
        ])
        .execute();
    });
    stage.store = await stage.open();
    expect(await stage.store.spend.listDays('2026-01-31')).toMatchObject([
      { day: '2026-01-31', prompt_tokens: 10, cost_usd: 0.25 },
      { day: '2026-02-01', prompt_tokens: 40, cost_usd: null },
      { day: '2026-02-02', prompt_tokens: 30, cost_usd: 0.75 },
    ]);
  });

  test('lists what turns have spent, after an id or the beginning of one, page by page', async () => {
    const chat = await stage.chat();
    const { turn: first } = await stage.turn(chat.id);
    const { turn: second } = await stage.turn(chat.id);
    const { turns: _, ...usage } = newSpend();
    const changes = { model: 'a/x', usage };
    await stage.store.turns.write({ turn_id: second.id, chat_id: chat.id, turn: changes });
    const { id, created_at } = second;
    expect(await stage.store.turns.listSpent(first.id, 10)).toEqual([
      { id, created_at, model: 'a/x', usage: expect.objectContaining({ prompt_tokens: 10, cost_usd: 0.25 }) },
    ]);
    expect(await stage.store.turns.listSpent(second.id, 10)).toEqual([]);
    const all = await stage.store.turns.listSpent(first.id.slice(0, 13), 1);
    expect(all.map(turn => turn.id)).toEqual([first.id]);
  });

  test('leaves the spend of the day unchanged after a failed write', async () => {
    const chat = await stage.chat();
    const { turns: _, ...used } = newSpend();
    const days = [{ ...used, day: '2026-02-01' }];
    const nowhere = { turn_id: crypto.randomUUID(), chat_id: chat.id, turn: {}, spend: newSpend(), days };
    await expect(stage.store.turns.write(nowhere)).rejects.toThrow();
    expect(await stage.store.spend.listDays('2026-02-01')).toEqual([]);
  });

  test('counts chats, placed messages and turns by status', async () => {
    const none = { queued: 0, sleeping: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };
    expect(await stage.store.chats.count()).toEqual({ chats: 0, messages: 0, turns: none });
    const { chat } = await stage.history(3);
    await stage.chat();
    await stage.turn(chat.id, {}, { place: false });
    const turns = { ...none, running: 1, queued: 1 };
    expect(await stage.store.chats.count()).toEqual({ chats: 2, messages: 3, turns });
  });
}

/** Records spend in a turn of a new chat. */
async function spender(stage: Stage) {
  const chat = await stage.chat();
  const { turn } = await stage.turn(chat.id);
  const spend = (row: SpendRow) =>
    stage.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: {}, spend: row });
  return Object.assign(spend, { chat: chat.id });
}
