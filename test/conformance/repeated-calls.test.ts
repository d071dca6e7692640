/** A model that is stuck: calls that are refused again and again, and more shells than a machine can bear. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  ['no such tool', 'nope', { a: 1 }],
  ['an input that does not fit', 'plan', { tasks: 'all' }],
])('[SAFE-6] a call that is refused in three steps in a row ends the turn: %s', async (_, name, input) => {
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
      message: `The model made the same refused call in three steps in a row: ${name}.`,
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

test('[SAFE-6] text that is no JSON object, sent as arguments, is refused like any other input', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const broken = (id: string) => ({ steps: [{ call: { id, name: 'plan', raw: '{"tasks": [' } }] });
  upstream.next(...['call_x', 'call_y', 'call_z'].map(broken));
  expect(eventsOf(await client.say(chat.id, 'Go.'), 'error')).toMatchObject([{ code: 'repeated_call' }]);
});

test('[SAFE-6] calls that differ, or with another kind of step between them, go on', async () => {
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

test('[SAFE-6] a call that fails, and was not refused, may be tried for ever', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir: directory.path, workdir_on: 'server' });
  const fails = (id: string) => calls(id, 'shell', { commands: ['false'] });
  upstream.next(...['f1', 'f2', 'f3', 'f4'].map(fails), says('Enough.'));
  expect(textOf(await client.say(chat.id, 'Go.'))).toBe('Enough.');
});

test('[SAFE-6] the same refusal twice in one step counts once, and an agent that repeats itself ends alone', async () => {
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
    'The model made the same refused call in three steps in a row: nope.',
  );
  expect(textOf(events)).toBe('He failed.');
});

test('[SAFE-6] at most 16 shells of a turn run at once, and the others have their turn', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir: directory.path, workdir_on: 'server' });
  // A second attempt of the test has a file of its own.
  const file = join(directory.path, `marks-${chat.id}`);
  const command = `echo + >> ${file}; sleep 0.5; echo - >> ${file}`;
  const steps = Array.from({ length: 40 }, (_, at) => ({
    call: { id: `shell_${at}`, name: 'shell', input: { commands: [command] } },
  }));
  upstream.next({ steps }, says('All ran.'));
  const events = await client.say(chat.id, 'Go.');
  expect(textOf(events)).toBe('All ran.');
  expect(eventsOf(events, 'tool_result').filter(({ is_error }) => is_error)).toEqual([]);
  let running = 0;
  const counts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(mark => (running += mark === '+' ? 1 : -1));
  expect(counts).toHaveLength(80);
  expect(Math.max(...counts)).toBeLessThanOrEqual(16);
  expect(Math.max(...counts)).toBeGreaterThan(1);
});
