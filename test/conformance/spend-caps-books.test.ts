/**
 * Tests that spend caps count prices, calls outside of turns, days and months, and that the kernel shows the totals.
 */
import type { JsonObject } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { asked, at, closed, failureOf, PLAN, STOP, start } from '../harness/spending.ts';
import { held, says } from '../harness/story.ts';

const HOUR = 60 * 60 * 1000;

describe('an unknown price', () => {
  test('fails the turn before the model request at a cap in USD', async () => {
    const kernel = await start({ per_day: { usd: 5 } });
    const { api, client, upstream } = kernel;
    const chat = await client.createChat({ model: 'scripted/unpriced' });
    const stream = await client.begin(chat.id, { text: 'Go.', questions: true });
    const events = await closed(kernel, chat.id, stream);
    expect(failureOf(events)).toEqual({
      type: 'error',
      turn_id: stream.turnId,
      code: 'spend_cap',
      message:
        'The model scripted/unpriced has no price, so spend.per_day.usd cannot be enforced. Set llm.models[].price (0 if it is free).',
      retryable: false,
    });
    expect(upstream.requests).toEqual([]);
    const refused = await api.post('/v1/complete', { prompt: 'Hi.', model: 'scripted/unpriced' });
    expect(refused).toMatchObject({ status: 402, body: { code: 'spend_cap' } });
  });

  test('is ignored by caps in tokens, and the demo model has a price', async () => {
    const { client } = await start({ per_day: { tokens: 5000 } });
    const chat = await client.createChat({ model: 'scripted/unpriced' });
    expect((await client.say(chat.id, 'Hi.')).at(-1)).toMatchObject({ status: 'completed' });
    const demo = await kernelOf({
      settings: {
        llm: { default_model: 'demo/demo', providers: {}, models: [] },
        spend: { per_turn: { usd: 1 } },
      },
    });
    const { id } = await demo.client.createChat();
    expect((await demo.client.say(id, 'Hi.')).at(-1)).toMatchObject({ status: 'completed' });
  });
});

describe('side calls', () => {
  test('[API-5] counts a one-off call toward the day, and rejects it at the caps of the day and the month', async () => {
    const kernel = await start({ per_day: { usd: 1 }, per_month: { tokens: 1500 }, per_turn: { usd: 0.5 } });
    const { api, client, upstream } = kernel;
    upstream.next(at(0.6, says('A')), at(0.6, says('B')));
    for (const _ of [1, 2]) expect((await api.post('/v1/complete', { prompt: 'Hi.' })).status).toBe(200);
    const { status, body } = await api.post('/v1/complete', { prompt: 'Hi.' });
    expect(status).toBe(402);
    expect(body).toMatchObject({
      code: 'spend_cap',
      detail: "All of today's 1.00 USD is spent: 1.20 USD (spend.per_day.usd).",
    });
    expect(upstream.requests).toHaveLength(2);
    const events = await client.say((await client.createChat()).id, 'Go.');
    expect(failureOf(events)?.code).toBe('spend_cap');
  });

  test('creates no title at a cap', async () => {
    const kernel = await start({ per_chat: { usd: 1 } }, { settings: { titles: { enabled: true } } });
    const { client, upstream } = kernel;
    const [dear, cheap] = [await client.createChat(), await client.createChat()];
    upstream.next(at(1, says('Dear.')));
    await client.say(dear.id, 'Go.');
    upstream.next(at(0.1, says('Cheap.')), says('A title'));
    await client.say(cheap.id, 'Go.');
    await expect.poll(async () => (await client.getChat(cheap.id)).title).toBe('A title');
    expect((await client.getChat(dear.id)).title).toBeNull();
    expect(upstream.requests).toHaveLength(3);
  });
});

describe('a summary', () => {
  test('[HIST-1] is written after the master allows it, and not at a cap', async () => {
    const kernel = await start({ per_day: { tokens: 900_000 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    // The usage fills the window and the cap at once.
    upstream.next(
      { steps: [{ text: 'Long. '.repeat(4000) }, { usage: { prompt: 1000, completion: 10 } }] },
      { steps: [{ text: 'Full.' }, { usage: { prompt: 900_000, completion: 10 } }] },
    );
    for (const text of ['1', '2']) await client.say(chat.id, text);
    expect(upstream.requests).toHaveLength(2);
    const { stream, answer } = await asked(kernel, chat.id);
    expect(upstream.requests).toHaveLength(2);
    await answer({ question: 0, answer: STOP });
    await closed(kernel, chat.id, stream);
    expect(upstream.requests).toHaveLength(2);
    const again = await asked(kernel, chat.id);
    upstream.next(says('## Goal\nTea.'), says('Done.'));
    await again.answer({ question: 0, answer: again.goOn });
    const events = await closed(kernel, chat.id, again.stream);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    expect(upstream.requests).toHaveLength(4);
    const summarised = JSON.stringify(upstream.requests[2]?.body);
    expect(summarised).toContain('You write the summary');
    expect(summarised).not.toMatch(/spend_cap|Go on/);
  });
});

describe('changes of day and month', () => {
  test('resets the daily caps with the day, and the monthly caps with the month', async () => {
    const clock = new ManualClock();
    const kernel = await start({ per_day: { usd: 1 }, per_month: { usd: 2.5 } }, { clock });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const spend = async (): Promise<string | undefined> => {
      upstream.next(at(1, says('All.')));
      const events = await client.say(chat.id, 'Go.');
      return failureOf(events)?.message.match(/\((.*)\)/)?.[1];
    };
    expect(await spend()).toBeUndefined();
    clock.advance(23 * HOUR);
    expect(await spend()).toBe('spend.per_day.usd');
    clock.advance(HOUR);
    // The reply that was not requested is still scripted.
    expect(await spend()).toBeUndefined();
    clock.advance(24 * HOUR);
    expect(await spend()).toBeUndefined();
    clock.advance(24 * HOUR);
    expect(await spend()).toBe('spend.per_month.usd');
    clock.advance(28 * 24 * HOUR);
    expect((await client.getStats()).caps).toMatchObject([{ spent: 0 }, { spent: 0 }]);
    expect(await spend()).toBeUndefined();
  });
});

describe('data for clients', () => {
  test('[CHAT-7] [API-2] returns caps after the documented fields, those of a turn while it runs', async () => {
    const kernel = await start({
      per_turn: { tokens: 5000 },
      per_chat: { usd: 2 },
      per_day: { usd: 10 },
      per_month: { tokens: 90_000 },
    });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const spend = async () => await client.getSpend(chat.id);
    const capsOf = (spent: number, tokens: number): JsonObject[] => [
      { scope: 'chat', unit: 'usd', spent, cap: 2, raised_by: 0 },
      { scope: 'day', unit: 'usd', spent, cap: 10, raised_by: 0 },
      { scope: 'month', unit: 'tokens', spent: tokens, cap: 90_000, raised_by: 0 },
    ];
    expect((await spend()).caps).toEqual(capsOf(0, 0));
    const { reply, go } = held({ text: 'Done.' });
    upstream.next(at(1, PLAN), at(0.5, reply));
    const stream = await client.begin(chat.id, { text: 'Go.' });
    await stream.until('tool_result');
    await expect.poll(() => upstream.requests.length).toBe(2);
    expect((await spend()).caps).toEqual([
      { scope: 'turn', unit: 'tokens', spent: 1000, cap: 5000, raised_by: 0 },
      ...capsOf(1, 1000),
    ]);
    go();
    await stream.all();
    const body = await spend();
    expect(body.caps).toEqual(capsOf(1.5, 1500));
    expect(Object.keys(body).at(-1)).toBe('caps');
    const stats = await client.getStats();
    expect(stats.caps).toEqual(capsOf(1.5, 1500).slice(1));
    expect(Object.keys(stats).at(-1)).toBe('caps');
  });

  test('adds no fields without caps', async () => {
    const { client } = await start({});
    const chat = await client.createChat();
    expect(await client.getSpend(chat.id)).not.toHaveProperty('caps');
    expect(await client.getStats()).not.toHaveProperty('caps');
  });
});
