/** Tests statistics, and the triage of surfaces. */
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type KernelOptions, startKernel } from '../harness/kernel.ts';
import { says } from '../harness/story.ts';

async function start(options: KernelOptions = {}) {
  const kernel = await startKernel(options);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= kernel.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { ...kernel, stop };
}

const NONE = { queued: 0, sleeping: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };

test('[API-2] returns zero values for a new kernel', async () => {
  const { api } = await start({ clock: new ManualClock() });
  const { status, body } = await api.get('/v1/stats');
  expect(status).toBe(200);
  expect(body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    uptime_s: 0,
    chats: 0,
    messages: 0,
    turns: NONE,
    tokens: { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cached_tokens: 0 },
    cost_usd: 0,
    rate_limits: {},
    triage: { engaged: 0, responded: 0, misses: 0 },
    modules: {},
  });
});

test('[API-2] counts chats, messages, turns, tokens and costs, and returns the last limits of each provider', async () => {
  const clock = new ManualClock();
  const { client, upstream } = await start({ clock });
  upstream.next({
    steps: [{ text: 'Hello.' }, { usage: { prompt: 1000, completion: 200, reasoning: 50, cached: 400 } }],
    headers: {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '149000',
      'x-ratelimit-reset-tokens': '6m0s',
    },
  });
  await client.say((await client.createChat()).id, 'Hi.');
  upstream.next({ error: 'unauthorized' });
  await client.say((await client.createChat()).id, 'Hi.');
  clock.advance(1500);
  const body = await client.getStats();
  expect(body).toMatchObject({
    uptime_s: 1.5,
    chats: 2,
    messages: 4,
    turns: { ...NONE, completed: 1, failed: 1 },
    tokens: { prompt_tokens: 1000, completion_tokens: 200, reasoning_tokens: 50, cached_tokens: 400 },
    cost_usd: expect.closeTo((600 + 400 * 0.1 + 200 * 10) / 1e6, 10),
  });
  expect(body.rate_limits.scripted).toEqual({
    at: expect.stringMatching(/^2026-01-01T/),
    requests: { limit: 60, remaining: 59, reset_at: expect.stringMatching(/^2026-01-01T/) },
    tokens: { limit: 150_000, remaining: 149_000, reset_at: expect.stringMatching(/^2026-01-01T/) },
  });
});

test('[API-2] [API-3] returns null for unknown costs, and keeps the statistics over a restart', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const settings = { llm: { models: [{ id: 'scripted/plain', context_window: 100_000 }] } };
  const first = await start({ settings, dataDir: directory.path });
  first.upstream.next(says('Hello.'));
  await first.client.say((await first.client.createChat()).id, 'Hi.');
  await first.api.post('/v1/stats/triage', { engaged: 4, responded: 1 });
  const before = await first.client.getStats();
  expect(before.cost_usd).toBeNull();
  await first.stop();
  const second = await start({ settings, dataDir: directory.path });
  const { uptime_s: _, ...after } = await second.client.getStats();
  const { uptime_s: __, ...wanted } = before;
  expect(after).toEqual(wanted);
});

test('[WIRE-5] counts past events, also in deleted chats', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const first = await start({ dataDir: directory.path });
  const { client, upstream } = first;
  upstream.next({ steps: [{ text: 'Hello.' }, { usage: { prompt: 1000, completion: 200 } }] });
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  upstream.next({ error: 'unauthorized' });
  await client.say(chat.id, 'Hi.');
  const other = await client.createChat();
  upstream.next({ steps: [{ text: 'Hello.' }, { usage: { prompt: 10, completion: 2 } }] });
  await client.say(other.id, 'Hi.');
  const { uptime_s: _, ...before } = await client.getStats();
  expect(before).toMatchObject({
    chats: 2,
    turns: { ...NONE, completed: 2, failed: 1 },
    tokens: { prompt_tokens: 1010, completion_tokens: 202 },
  });
  await client.deleteChat(chat.id);
  expect(await client.getStats()).toMatchObject(before);
  await client.deleteChat(other.id);
  expect(await client.getStats()).toMatchObject(before);
  await first.stop();
  const second = await start({ dataDir: directory.path });
  // The last report of a provider belongs to one process only.
  expect(await second.client.getStats()).toMatchObject({ ...before, rate_limits: {} });
});

test('[API-3] sums up triage, and counts engaged messages without a reply as misses', async () => {
  const { api, client } = await start();
  const report = (engaged: number, responded: number) => api.post('/v1/stats/triage', { engaged, responded });
  expect((await report(5, 2)).body).toEqual({ engaged: 5, responded: 2, misses: 3 });
  expect((await report(0, 0)).body).toEqual({ engaged: 5, responded: 2, misses: 3 });
  await Promise.all(Array.from({ length: 20 }, () => report(2, 1)));
  const triage = { engaged: 45, responded: 22, misses: 23 };
  expect((await report(0, 0)).body).toEqual(triage);
  expect((await client.getStats()).triage).toEqual(triage);
});

test('[API-3] rejects more replies than engaged messages, and invalid numbers', async () => {
  const { api, client } = await start();
  expect(await api.post('/v1/stats/triage', { engaged: 1, responded: 2 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_value', errors: [{ pointer: '/responded' }] },
  });
  for (const body of [{ engaged: -1, responded: 0 }, { engaged: 1.5, responded: 0 }, { engaged: 1 }]) {
    expect((await api.post('/v1/stats/triage', body)).body.code).toBe('schema_mismatch');
  }
  expect((await client.getStats()).triage.engaged).toBe(0);
});
