/** Tests tool calls: run concurrently, each with one result, and with errors that the model can read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ settings: { llm: { max_steps: 5 } } });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

/** Returns the results of the calls in the last request to the model. */
const readResults = () =>
  kernel.upstream.requests
    .at(-1)
    ?.body.messages.filter((message: { role: string }) => message.role === 'tool')
    .map((message: { tool_call_id: string; content: string }) => [message.tool_call_id, message.content]);

test('[SVC-1] takes as many steps as the model requests', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const asked = upstream.requests.length;
  for (const id of ['a', 'b', 'c']) upstream.next(calls(id, 'plan', { tasks: [] }));
  const events = await client.say(chat.id, 'Go.');
  expect(upstream.requests.length - asked).toBe(4);
  expect(eventsOf(events, 'done')).toHaveLength(1);
  expect(eventsOf(events, 'usage')).toHaveLength(4);
  expect((await client.listMessages(chat.id)).messages).toHaveLength(8);
});

test('[EV-3] [ITEM-2] runs the calls of a step in parallel, and returns results in the order of the calls', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const path = join(directory.path, 'a.txt');
  writeFileSync(path, 'hello');
  upstream.next(
    {
      steps: [
        { call: { id: 'r', name: 'read_file', input: { files: [{ path }] } } },
        { call: { id: 'p', name: 'plan', input: { tasks: [] } } },
        { call: { id: 'x', name: 'nothing', input: {} } },
      ],
    },
    says('Done.'),
  );
  const events = await client.say(chat.id, 'Go.');
  const order = events.filter(event => event.type === 'tool_call' || event.type === 'tool_result');
  expect(order.map(event => event.type)).toEqual([
    ...Array(3).fill('tool_call'),
    ...Array(3).fill('tool_result'),
  ]);
  expect(eventsOf(events, 'tool_result').map(event => [event.id, event.is_error])).toEqual(
    expect.arrayContaining([
      ['r', false],
      ['p', false],
      ['x', true],
    ]),
  );
  expect(readResults()).toEqual([
    ['r', `== ${path}\nhello`],
    ['p', 'The plan is closed.'],
    ['x', expect.stringContaining('nothing')],
  ]);
  const items = (await client.items(chat.id)).filter(item => item.kind === 'tool_call');
  expect(items.map(item => item.call_id)).toEqual(['r', 'p', 'x']);
});

test('[EV-3] returns an error that lists the existing tools for an unknown tool', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('c', 'fly', { to: 'the moon' }), says('Then not.'));
  const events = await client.say(chat.id, 'Go.');
  const [result] = eventsOf(events, 'tool_result');
  expect(result).toMatchObject({ id: 'c', name: 'fly', is_error: true });
  expect(result?.output).toMatch(/fly.*plan.*read_file.*think_harder/s);
  expect(textOf(events)).toBe('Then not.');
  expect(events.at(-1)).toMatchObject({ status: 'completed' });
});

test('[EV-3] returns an error that locates the mismatch for input that violates the schema', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('c', 'plan', { tasks: [{ title: 'a', status: 'soon' }] }), says('Sorry.'));
  const [result] = eventsOf(await client.say(chat.id, 'Go.'), 'tool_result');
  expect(result).toMatchObject({ is_error: true, output: expect.stringContaining('tasks.0.status') });
  expect(await client.getPlan(chat.id)).toEqual({ tasks: [] });
});

test('[EV-3] returns an error for input that is not JSON, and shows the input to the model', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const broken = { call: { id: 'c', name: 'plan', raw: '{"tasks": [' } };
  upstream.next({ steps: [broken] }, says('Sorry.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ id: 'c', is_error: true }]);
  expect(textOf(events)).toBe('Sorry.');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
  expect(JSON.stringify(upstream.requests.at(-1)?.body.messages)).toContain('{\\\\\\"tasks\\\\\\": [');
});

test('[EV-3] rejects a call of a tool that the turn was not offered', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('c', 'read_file', { files: [{ path: '/etc/hostname' }] }), says('Well.'));
  const [result] = eventsOf(await client.say(chat.id, 'Go.', { sender: 'Ann' }), 'tool_result');
  expect(result).toMatchObject({ is_error: true });
});

test('[EV-10] ends an endless turn at the step limit', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const asked = upstream.requests.length;
  for (const id of ['a', 'b', 'c', 'd', 'e']) upstream.next(calls(id, 'plan', { tasks: [] }));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'error')).toMatchObject([{ code: 'step_limit', retryable: true }]);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  expect(upstream.requests.length - asked).toBe(5);
  expect(eventsOf(events, 'tool_result').every(result => !result.is_error)).toBe(true);
  expect(textOf(await client.say(chat.id, 'Go on.'))).toBe('ok');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
});
