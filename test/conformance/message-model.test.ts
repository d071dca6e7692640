/** Tests that messages and agent messages have the model that wrote them, their tokens and their cost. */
import { expect, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel({
  settings: {
    llm: {
      default_model: 'scripted/plain',
      models: [
        { id: 'scripted/plain', price: { input: 1, output: 10, cached_input: 0.1 } },
        { id: 'scripted/unpriced' },
      ],
    },
  },
});

const used = (prompt: number, completion: number) => ({ usage: { prompt, completion } });
const billed = (prompt_tokens: number, completion_tokens: number, cost_usd: number | null) => ({
  prompt_tokens,
  completion_tokens,
  reasoning_tokens: 0,
  cached_tokens: 0,
  cost_usd: cost_usd === null ? null : expect.closeTo(cost_usd, 12),
});
const PLAN = { call: { id: 'p', name: 'plan', input: { tasks: [] } } };

test('[EDIT-6] returns the model and the usage of each answer in messages, items, the stream and the export', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [{ text: 'Hi.' }, used(1000, 100)] });
  const events = await client.say(chat.id, 'Hello.');
  await client.patchChat(chat.id, { model: 'scripted/unpriced' });
  upstream.next({ steps: [{ text: 'Hi again.' }, used(20, 3)] });
  await client.say(chat.id, 'Hello.');
  const first = { model: 'scripted/plain', usage: billed(1000, 100, 0.002) };
  const second = { model: 'scripted/unpriced', usage: billed(20, 3, null) };

  const { messages } = await client.listMessages(chat.id);
  expect(messages.map(({ role, model, usage }) => ({ role, model, usage }))).toEqual([
    { role: 'user' },
    { role: 'assistant', ...first },
    { role: 'user' },
    { role: 'assistant', ...second },
  ]);
  expect(messages[0]).not.toHaveProperty('model');
  expect(messages[0]).not.toHaveProperty('usage');

  const items = await client.items(chat.id);
  expect(items).toMatchObject([
    { kind: 'user_message' },
    { kind: 'agent_message', text: 'Hi.', ...first },
    { kind: 'user_message' },
    { kind: 'agent_message', text: 'Hi again.', ...second },
  ]);
  const [started] = eventsOf(events, 'item_started');
  expect(started?.item).toMatchObject({ kind: 'agent_message', model: 'scripted/plain' });
  expect(started?.item).not.toHaveProperty('usage');
  expect(comparable(foldItems(events))).toEqual(comparable(items.slice(0, 2)));

  const { body } = await api.get(`/v1/chats/${chat.id}/export`);
  const exported = String(body)
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
  expect(exported.slice(1)).toEqual(items);
});

test('[EDIT-6] counts each provider request on its own message, and on the text that ends it', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(
    { steps: [{ text: 'I look.' }, PLAN, used(10, 1)] },
    { steps: [{ text: 'Done.' }, used(30, 2)] },
  );
  const events = await client.say(chat.id, 'Go.');
  const { messages } = await client.listMessages(chat.id);
  const model = 'scripted/plain';
  expect(messages.map(({ role, usage }) => [role, usage])).toEqual([
    ['user', undefined],
    ['assistant', billed(10, 1, 0.00002)],
    ['user', undefined],
    ['assistant', billed(30, 2, 0.00005)],
  ]);
  const items = await client.items(chat.id);
  const texts = items.filter(item => item.kind === 'agent_message');
  expect(texts).toMatchObject([
    { text: 'I look.', model },
    { text: 'Done.', model, usage: billed(30, 2, 0.00005) },
  ]);
  // The call ends the request, so the usage of the text would have come after the text was complete.
  expect(texts[0]).not.toHaveProperty('usage');
  expect(comparable(foldItems(events))).toEqual(comparable(items));
});

test('[EDIT-6] estimates the tokens of a canceled answer', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'Half of it' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  const events = await stream.all();
  const { type: _, model, ...usage } = eventsOf(events, 'usage')[0]!;
  const items = await client.items(chat.id);
  expect(items[1]).toMatchObject({ kind: 'agent_message', status: 'aborted', model, usage });
  expect(usage.completion_tokens).toBeGreaterThan(0);
  expect(comparable(foldItems(events))).toEqual(comparable(items));
});

test('[EDIT-6] keeps model and usage in a fork, and sends neither to a model', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [{ text: 'One.' }, used(1234, 77)] }, says('Two.'), says('Three.'));
  await client.say(chat.id, 'Count.');
  const last = await client.begin(chat.id, { text: 'Next.' });
  await last.all();
  const branch = await client.forkChat(chat.id, { before_message: last.messageId });
  const writer = { model: 'scripted/plain', usage: billed(1234, 77, 0.002004) };
  expect((await client.listMessages(branch.id)).messages.at(-1)).toMatchObject(writer);
  expect((await client.items(branch.id)).at(-1)).toMatchObject(writer);
  await client.say(branch.id, 'Next.');
  const sent = upstream.requests.at(-1)?.body.messages as { role: string }[];
  expect(sent.filter(({ role }) => role === 'assistant')).toEqual([{ role: 'assistant', content: 'One.' }]);
});

test('[EDIT-6] names no model on what the kernel wrote', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('c', 'plan', { tasks: [] }), stuck({ text: '' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('tool_result');
  await client.cancelTurn(chat.id);
  await stream.all();
  const { messages } = await client.listMessages(chat.id);
  const note = messages.at(-1)!;
  expect(note).toMatchObject({ role: 'assistant', content: [{ type: 'text' }] });
  expect(note).not.toHaveProperty('model');
  expect(messages[1]).toMatchObject({ role: 'assistant', model: 'scripted/plain' });
});

test('[EDIT-6] imports model and usage, and knows conversations again that were imported without them', async () => {
  const { client } = kernel;
  const at = '2026-01-02T03:04:05.000Z';
  const usage = billed(12, 3, 0.5);
  const written = { model: 'elsewhere', usage: { ...usage, cost_usd: 0.5 } };
  const body = (writer: Partial<typeof written>) => ({
    source: 'test',
    key: 'writer',
    title: null,
    created_at: at,
    messages: [
      { role: 'user' as const, created_at: at, content: [{ type: 'text' as const, text: 'Q' }] },
      {
        role: 'assistant' as const,
        created_at: at,
        content: [{ type: 'text' as const, text: 'A' }],
        ...writer,
      },
    ],
  });
  const { chat_id } = await client.importChat(body(written));
  expect((await client.listMessages(chat_id!)).messages[1]).toMatchObject({ model: 'elsewhere', usage });
  expect((await client.items(chat_id!))[1]).toMatchObject({ model: 'elsewhere', usage });
  expect(await client.importChat(body({}))).toMatchObject({ status: 'known', chat_id });
});
