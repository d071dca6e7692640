/** Tests usage and cost: sent after each provider request, summed for the turn, stored for the chat. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel({
  settings: {
    llm: {
      default_model: 'scripted/plain',
      models: [
        { id: 'scripted/plain', price: { input: 1, output: 10, cached_input: 0.1 } },
        { id: 'scripted/unpriced' },
        { id: 'scripted/free', price: { input: 0, output: 0 } },
      ],
    },
  },
});

const used = (prompt: number, completion: number, reasoning = 0, cached = 0) => ({
  usage: { prompt, completion, reasoning, cached },
});
const ZERO = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cached_tokens: 0, cost_usd: 0 };

test('[EV-4] sends usage of each request, sums it in done, and adds it to the chat', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const call = calls('c', 'plan', { tasks: [] });
  upstream.next(
    { steps: [...(call.steps ?? []), used(1000, 100, 40, 400)] },
    { steps: [{ text: 'Done.' }, used(1200, 20, 0, 1000)] },
  );
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const events = await stream.all();
  const trips = eventsOf(events, 'usage');
  expect(trips).toEqual([
    {
      type: 'usage',
      model: 'scripted/plain',
      prompt_tokens: 1000,
      completion_tokens: 100,
      reasoning_tokens: 40,
      cached_tokens: 400,
      cost_usd: expect.closeTo(0.00164, 12),
    },
    {
      type: 'usage',
      model: 'scripted/plain',
      prompt_tokens: 1200,
      completion_tokens: 20,
      reasoning_tokens: 0,
      cached_tokens: 1000,
      cost_usd: expect.closeTo(0.0005, 12),
    },
  ]);
  const sum = {
    prompt_tokens: 2200,
    completion_tokens: 120,
    reasoning_tokens: 40,
    cached_tokens: 1400,
    cost_usd: expect.closeTo(0.00214, 12),
  };
  expect(eventsOf(events, 'done')[0]?.usage).toEqual(sum);
  expect((await client.getTurn(chat.id, stream.turnId)).usage).toEqual(sum);
  const body = await client.getSpend(chat.id);
  expect(body).toEqual({
    prefix_tokens: expect.any(Number),
    ...sum,
    turns: 1,
    by_model: [{ model: 'scripted/plain', turns: 1, ...sum }],
  });
  expect(body.prefix_tokens).toBeGreaterThan(0);
  expect(body.prefix_tokens).toBeLessThanOrEqual(1200);
});

test('[CHAT-7] knows the tokens before any message after the first request of a chat, during its turn', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const call = calls('c', 'plan', { tasks: [] });
  upstream.next({ steps: [...(call.steps ?? []), used(1000, 10)] }, stuck({ text: 'Going on' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  const body = await client.getSpend(chat.id);
  expect(body.prefix_tokens).toBeGreaterThan(0);
  await client.cancelTurn(chat.id);
});

test('[CHAT-7] returns no spend for a new chat', async () => {
  const chat = await kernel.client.createChat();
  const body = await kernel.client.getSpend(chat.id);
  expect(body).toEqual({ prefix_tokens: 0, ...ZERO, turns: 0, by_model: [] });
});

test('[EV-4] returns null, never 0, as the cost for an unknown price', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ model: 'scripted/unpriced' });
  upstream.next({ steps: [{ text: 'Hi.' }, used(10, 2)] });
  const stream = await client.begin(chat.id, { text: 'Hi.' });
  const events = await stream.all();
  expect(eventsOf(events, 'usage')).toMatchObject([{ prompt_tokens: 10, cost_usd: null }]);
  expect(eventsOf(events, 'done')[0]?.usage.cost_usd).toBeNull();
  expect((await client.getTurn(chat.id, stream.turnId)).usage.cost_usd).toBeNull();
  expect(await client.getSpend(chat.id)).toMatchObject({
    prompt_tokens: 10,
    cost_usd: null,
    by_model: [{ model: 'scripted/unpriced', cost_usd: null }],
  });
});

test('[EV-4] returns 0 as the cost of a free model', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ model: 'scripted/free' });
  upstream.next({ steps: [{ text: 'Hi.' }, used(10, 2)] });
  expect(eventsOf(await client.say(chat.id, 'Hi.'), 'usage')).toMatchObject([{ cost_usd: 0 }]);
});

test('[CHAT-7] returns spend by model, and null for a sum with an unknown part', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(
    { steps: [{ text: 'Hi.' }, used(1000, 0)] },
    { steps: [{ text: 'Hi.' }, used(2000, 0)] },
    { steps: [{ text: 'Hi.' }, used(500, 5)] },
  );
  await client.say(chat.id, '1');
  await client.say(chat.id, '2');
  await client.say(chat.id, '3', { model: 'scripted/unpriced' });
  const body = await client.getSpend(chat.id);
  expect(body).toMatchObject({ prompt_tokens: 3500, completion_tokens: 5, turns: 3, cost_usd: null });
  const rows = body.by_model.toSorted((a: { model: string }, b: { model: string }) =>
    a.model < b.model ? -1 : 1,
  );
  expect(rows).toMatchObject([
    { model: 'scripted/plain', turns: 2, prompt_tokens: 3000, cost_usd: expect.closeTo(0.003, 12) },
    { model: 'scripted/unpriced', turns: 1, prompt_tokens: 500, completion_tokens: 5, cost_usd: null },
  ]);
});

test('[CHAT-7] counts spend per chat, and reduces nothing after a rewind', async () => {
  const { client, upstream } = kernel;
  const [chat, other] = [await client.createChat(), await client.createChat()];
  upstream.next({ steps: [{ text: 'Hi.' }, used(10, 2)] });
  const stream = await client.begin(chat.id, { text: 'Hi.' });
  await stream.all();
  await client.rewind(chat.id, stream.messageId);
  expect(await client.getSpend(chat.id)).toMatchObject({ prompt_tokens: 10, turns: 1 });
  expect(await client.getSpend(other.id)).toMatchObject({ prompt_tokens: 0, turns: 0 });
});

test('[EV-4] estimates usage if the provider reports none', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [{ text: 'A dozen words or so.' }, { usage: null }] });
  const [usage] = eventsOf(await client.say(chat.id, 'Hi.'), 'usage');
  expect(usage?.prompt_tokens).toBeGreaterThan(0);
  expect(usage?.completion_tokens).toBeGreaterThan(0);
});

test('[CHAT-7] counts a turn that the provider rejected, without cost', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ error: 'unauthorized' }, says('ok'));
  const events = await client.say(chat.id, 'Hi.');
  expect(eventsOf(events, 'usage')).toEqual([]);
  expect(eventsOf(events, 'done')[0]?.usage).toEqual(ZERO);
  expect(await client.getSpend(chat.id)).toMatchObject({ ...ZERO, turns: 1 });
});
