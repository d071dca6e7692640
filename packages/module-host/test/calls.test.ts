/** Tests tool calls: the messages in both directions, and exactly one result in all cases. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { call, hostTestbed, served, statusOf, toolOf, until } from './test-host.ts';

const NAMES = [
  ...['echo', 'wait', 'progress', 'silent', 'strict', 'fail', 'misshapen', 'blocks', 'picture'],
  ...['newer', 'lie', 'garbage', 'flood', 'huge'],
];
const TOOLS = NAMES.map(name => ({ name, description: '', ...(name === 'silent' && { timeout_secs: 5 }) }));

async function parrot(clock?: ManualClock) {
  const { socket_dir, host: open, ...rest } = await hostTestbed(clock);
  const tools = [...TOOLS, { name: 'blocks_end', description: '', ends_turn: true }];
  const module = await served({ name: 'parrot', tools }, join(socket_dir, 'parrot.sock'));
  const unread: string[] = [];
  const host = await open({ onUnread: (name, shape) => void unread.push(`${name}: ${shape}`) });
  await host.approve('parrot');
  return { ...rest, host, module, socket_dir, unread };
}

test('[MOD-6] returns invalid input to the model as an error', async () => {
  const { host } = await parrot();
  expect(await call(host, 'parrot_strict')).toEqual({
    output: 'The input does not match the schema: n: expected a number',
    is_error: true,
    refused: true,
  });
  expect(await call(host, 'parrot_fail')).toEqual({
    output: 'parrot_fail failed: the printer is on fire',
    is_error: true,
  });
  expect(await call(host, 'parrot_misshapen')).toEqual({
    output: 'parrot_misshapen failed: its response is invalid',
    is_error: true,
  });
});

test('[WIRE-10] names the parts of a result that only newer kernels know, and reports every unknown part', async () => {
  const { host, unread } = await parrot();
  expect(await call(host, 'parrot_newer')).toEqual({
    output:
      'a table:\n\n[a part of the result was skipped: this kernel does not know table]\n\n[a part of the result was skipped: this kernel does not know constructor]',
    is_error: false,
    ends_turn: false,
  });
  expect(unread).toEqual([
    ...['parrot: notification weather', 'parrot: progress', 'parrot: log', 'parrot: result.table'],
    'parrot: result.constructor',
  ]);
});

test('puts blocks into sections, and replaces an unsupported image with a note', async () => {
  const { host, unread } = await parrot();
  expect(await call(host, 'parrot_blocks')).toMatchObject({
    output: 'two:\n\n== a\n1\n\n== b\n2',
    is_error: false,
  });
  const { output, images } = await call(host, 'parrot_picture');
  expect(images).toEqual([{ media_type: 'image/png', bytes: Buffer.from('iVBORw0KGgo=', 'base64') }]);
  expect(output).toBe(
    'look\n\n[an image was skipped: image/bmp is not supported]\n\n[an image was skipped: its data is not valid base64]',
  );
  expect(unread).toEqual(['parrot: image image/bmp', 'parrot: image']);
});

test('ends the turn only if the tool is declared to and succeeds', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const tools = [
    { name: 'echo', description: '', ends_turn: true },
    { name: 'fail', description: '', ends_turn: true },
  ];
  await served({ name: 'parrot', tools }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  expect(await call(host, 'parrot_echo')).toMatchObject({ ends_turn: true });
  expect((await call(host, 'parrot_fail')).ends_turn).toBeUndefined();
});

test('shows progress while the call runs, the latest of many updates', async () => {
  const { host } = await parrot();
  const asked = call(host, 'parrot_progress');
  expect(await asked).toMatchObject({ output: 'done' });
  expect(asked.shown[0]).toBe('step 1');
  expect(asked.shown.length).toBeLessThan(5);
});

test('ends a canceled call immediately, and notifies the module of its id', async () => {
  const { host, module } = await parrot();
  const asked = call(host, 'parrot_silent');
  const { heard } = module.speakers[0]!;
  await until(() => heard.some(({ method }) => method === 'tools/call'));
  asked.abort();
  await expect(asked).rejects.toThrow('the turn ended');
  await until(() => heard.some(({ method }) => method === 'cancelled'));
  const { call_id } = heard.find(({ method }) => method === 'tools/call')!.params;
  expect(heard.at(-1)).toEqual({ jsonrpc: '2.0', method: 'cancelled', params: { call_id } });
});

test('ends a call that takes too long, notifies the module, and ignores a late answer', async () => {
  const clock = new ManualClock();
  const { host, module } = await parrot(clock);
  const asked = call(host, 'parrot_silent');
  const { heard, send } = module.speakers[0]!;
  await until(() => heard.some(({ method }) => method === 'tools/call'));
  clock.advance(5000);
  expect(await asked).toEqual({ output: 'parrot_silent failed: no answer came within 5 s', is_error: true });
  await until(() => heard.some(({ method }) => method === 'cancelled'));
  send({ id: heard.find(({ method }) => method === 'tools/call')!.id, result: { output: 'late' } });
  expect(await call(host, 'parrot_blocks')).toMatchObject({ is_error: false });
});

test('returns the correct answer to each of 200 concurrent calls, in any order', async () => {
  const { host } = await parrot();
  const asked = Array.from({ length: 200 }, (_, n) => call(host, 'parrot_wait', { n, ms: (n * 37) % 200 }));
  const outputs = (await Promise.all(asked)).map(({ output }) => output);
  expect(outputs).toEqual(Array.from({ length: 200 }, (_, n) => `waited ${n}`));
});

test('accepts answers of a module only for its own calls', async () => {
  const { host } = await parrot();
  const silent = call(host, 'parrot_silent');
  // The false response names the id of this second call.
  const [lie, next] = await Promise.all([call(host, 'parrot_lie'), call(host, 'parrot_blocks')]);
  expect(lie).toMatchObject({ output: 'the truth' });
  expect([next.output, next.is_error]).not.toEqual(['a second truth', false]);
  silent.abort();
  await expect(silent).rejects.toThrow();
});

test('answers malformed lines a few times, reports them, and keeps working', async () => {
  const { host, module, unread } = await parrot();
  expect(await call(host, 'parrot_garbage')).toMatchObject({ output: 'sorry' });
  expect(await call(host, 'parrot_blocks')).toMatchObject({ is_error: false });
  const { heard } = module.speakers[0]!;
  const errors = heard.filter(message => 'error' in message);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThan(15);
  expect(errors[0]).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
  expect(new Set(unread)).toEqual(new Set(['parrot: line']));
});

test('slows down a module that floods the kernel, and no other', async () => {
  const clock = new ManualClock();
  const { host, socket_dir, logged } = await parrot(clock);
  await served({ name: 'crow', tools: TOOLS }, join(socket_dir, 'crow.sock'));
  clock.advance(1000);
  await until(() => statusOf(host, 'crow') === 'pending');
  await host.approve('crow');
  let isDry = false;
  const flood = call(host, 'parrot_flood', { lines: 6000 }).finally(() => {
    isDry = true;
  });
  // The directory is scanned again in a second, and the module is read again after a second.
  const isPaused = () => [...clock.timers].filter(({ at }) => at === clock.now() + 1000).length === 2;
  await until(isPaused);
  for (let times = 0; times < 10; times++)
    expect(await call(host, 'crow_blocks')).toMatchObject({ is_error: false });
  expect(isDry).toBe(false);
  while (!isDry) {
    clock.advance(1000);
    await until(() => isDry || isPaused());
  }
  expect(await flood).toMatchObject({ output: 'dry again' });
  expect(logged.filter(({ sentence }) => sentence === 'flood').length).toBeLessThan(300);
});

test('accepts an answer of nearly 16 MiB, truncates it for the model, and disconnects on a longer line', async () => {
  const { host } = await parrot();
  const { output, is_error } = await call(host, 'parrot_huge', { chars: 16 * 1024 * 1024 - 100 });
  expect(is_error).toBe(false);
  expect(output).toMatch(/^x{100000}\n\[16677116 more characters were cut: .*\]$/);
  expect(await call(host, 'parrot_huge', { chars: 17 * 1024 * 1024 })).toEqual({
    output:
      'parrot_huge failed: the module disconnected before it answered: it sent a line of more than 16777216 bytes.',
    is_error: true,
  });
  await until(() => statusOf(host, 'parrot') === 'up');
});

test('fails calls to a module that does not read, without filling memory', async () => {
  const { host, module } = await parrot();
  const { connections } = module;
  connections[0]!.pause();
  const text = randomBytes(6 * 1024 * 1024).toString('hex');
  const asked = Array.from({ length: 5 }, () => call(host, 'parrot_echo', { text }));
  const first = await Promise.race(asked);
  expect(first).toEqual({ output: 'parrot_echo failed: it does not read its input', is_error: true });
  expect(await call(host, 'parrot_echo', { text: text + text })).toMatchObject({
    output: 'parrot_echo failed: the call is longer than 16777216 bytes',
  });
  for (const each of asked) each.abort();
  await Promise.allSettled(asked);
  expect(toolOf(host, 'parrot_echo').available).toBe(true);
});
