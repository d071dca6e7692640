/** Tests a stuck model: repeated calls that are refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

test.each([
  ['unknown tool', 'nope', { a: 1 }],
  ['invalid input', 'plan', { tasks: 'all' }],
])('[SAFE-6] ends the turn after three consecutive steps with a refused call: %s', async (_, name, input) => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const asked = upstream.requests.length;
  upstream.next(...['a', 'b', 'c'].map(id => calls(`call_${name}_${id}`, name, input)));
  const turn = await client.begin(chat.id, { text: 'Go.' });
  const events = await turn.all();
  expect(upstream.requests.length - asked).toBe(3);
  expect(eventsOf(events, 'error')).toEqual([
    {
      type: 'error',
      turn_id: turn.turnId,
      code: 'repeated_call',
      message: `The model repeated the same rejected call in three consecutive steps: ${name}.`,
      retryable: true,
    },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed', stop_reason: 'error' });
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([true, true, true]);
  const kinds = (await client.items(chat.id)).map(({ kind }) => kind);
  expect(kinds).toEqual(['user_message', 'tool_call', 'tool_call', 'tool_call', 'machine_note']);
  expect(textOf(await client.say(chat.id, 'Go on.'))).toBe('ok');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
});

test('[SAFE-6] rejects arguments that are not a JSON object like any other invalid input', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const broken = (id: string) => ({ steps: [{ call: { id, name: 'plan', raw: '{"tasks": [' } }] });
  upstream.next(...['call_x', 'call_y', 'call_z'].map(broken));
  expect(eventsOf(await client.say(chat.id, 'Go.'), 'error')).toMatchObject([{ code: 'repeated_call' }]);
});

test('[SAFE-6] continues after calls that differ or have another kind of step between them', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const wrong = (id: string, tasks: unknown) => calls(id, 'plan', { tasks });
  upstream.next(
    ...['one', 'two', 'three'].map((tasks, at) => wrong(`differs_${at}`, tasks)),
    wrong('again_1', 'x'),
    wrong('again_2', 'x'),
    wrong('fits', []),
    wrong('again_3', 'x'),
    wrong('again_4', 'x'),
    says('Done.'),
  );
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'error')).toEqual([]);
  expect(textOf(events)).toBe('Done.');
});

test('[SAFE-6] allows endless retries of a call that fails without being refused', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir: directory.path, workdir_on: 'server' });
  const fails = (id: string) => calls(id, 'read_file', { files: [{ path: 'none' }] });
  upstream.next(...['f1', 'f2', 'f3', 'f4'].map(fails), says('Enough.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual(Array(4).fill(true));
  expect(textOf(events)).toBe('Enough.');
});

test('[SAFE-6] counts the same refusal in one step once, and ends only the agent that repeats itself', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const twice = (id: string) => ({
    steps: [1, 2].map(at => ({ call: { id: `${id}_${at}`, name: 'nope', input: {} } })),
  });
  upstream.next(twice('first'), twice('second'), says('Done.'));
  expect(textOf(await client.say(chat.id, 'Go.'))).toBe('Done.');

  upstream.next(calls('call_agent', 'agent', { agents: [{ name: 'Bob', task: 'Do it.' }] }));
  upstream.next(...['g', 'h', 'i'].map(id => calls(id, 'nope', {})), says('He failed.'));
  const events = await client.say(chat.id, 'Delegate.');
  expect(eventsOf(events, 'tool_result')[0]?.output).toContain(
    'The model repeated the same rejected call in three consecutive steps: nope.',
  );
  expect(textOf(events)).toBe('He failed.');
});
