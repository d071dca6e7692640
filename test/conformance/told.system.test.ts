/**
 * Tests that everything a viewer has received survives the death of the process, immediately and not only at intervals
 * (SAFE-4).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { eventsOf, SILENCE, textOf } from '../harness/story.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';

let upstream: Upstream;
let directory: ReturnType<typeof temporaryDirectory>;
let kernel: KernelProcess;
beforeEach(async () => {
  upstream = await startUpstream();
  directory = temporaryDirectory();
  kernel = await startKernelProcess({ upstream, dataDir: directory.path });
});
afterEach(async () => {
  await kernel.kill();
  await upstream.close();
  directory.remove();
});

async function killAndStart(): Promise<void> {
  await kernel.kill();
  kernel = await startKernelProcess({ upstream, dataDir: directory.path });
}

test('[SAFE-4] [TURN-11] keeps text that was sent just before a kill in the history completely', async () => {
  const chat = await kernel.client.createChat();
  const words = Array.from({ length: 40 }, (_, n) => `w${n} “ü” 🦉\n`);
  upstream.next({ steps: [{ thinking: ['Let ', 'me see.'] }, { text: words, delay_ms: 5 }, SILENCE] });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  await stream.until(() => textOf(stream.events).includes('w30'));
  await killAndStart();
  const told = textOf(stream.events);
  const items = await kernel.client.items(chat.id);
  expect(items.map(({ kind, status }) => [kind, status])).toEqual([
    ['user_message', 'completed'],
    ['thinking', 'completed'],
    ['agent_message', 'aborted'],
    ['machine_note', 'completed'],
  ]);
  const [, thinking, answer] = items as [unknown, { text: string }, { text: string }];
  expect(thinking.text).toBe('Let me see.');
  // The last text may have been written but not sent.
  expect(answer.text.startsWith(told)).toBe(true);
  expect(words.join('').startsWith(answer.text)).toBe(true);
});

test('[SAFE-4] keeps a result in the history that was sent while another call ran', async () => {
  const chat = await kernel.client.createChat({ workdir: directoryOfTest(), workdir_on: 'server' });
  upstream.next({
    steps: [
      { text: 'Both.' },
      { call: { id: 'slow', name: 'shell', input: { commands: ['sleep 600'] } } },
      { call: { id: 'quick', name: 'shell', input: { commands: ['echo quick as can be'] } } },
    ],
  });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  await stream.until('tool_result');
  await killAndStart();
  const [told] = eventsOf(stream.events, 'tool_result');
  expect(told).toMatchObject({ id: 'quick', is_error: false });
  const { messages } = await kernel.client.listMessages(chat.id);
  const results = messages.flatMap(({ content }) => content.filter(block => block.type === 'tool_result'));
  expect(results).toEqual([
    { type: 'tool_result', tool_use_id: 'quick', output: told?.output, is_error: false },
    expect.objectContaining({ tool_use_id: 'slow', is_error: true }),
  ]);
});

test('[SAFE-4] keeps the results of parallel calls of a sleeping turn through two kills', async () => {
  const chat = await kernel.client.createChat({ workdir: directoryOfTest(), workdir_on: 'server' });
  upstream.next({
    steps: [
      { call: { id: 'nap', name: 'sleep', input: {} } },
      { call: { id: 'beside', name: 'shell', input: { commands: ['sleep 1; echo beside'] } } },
    ],
  });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  await stream.until('tool_result');
  await killAndStart();
  await killAndStart();
  upstream.next({ steps: [{ text: 'Awake.' }] });
  await kernel.api.post('/v1/sleep/wake');
  await expect
    .poll(async () => (await kernel.client.getTurn(chat.id, stream.turnId)).status, { timeout: 20_000 })
    .toBe('completed');
  const { messages } = await kernel.client.listMessages(chat.id);
  const results = messages.flatMap(({ content }) => content.filter(block => block.type === 'tool_result'));
  expect(results).toMatchObject([
    { tool_use_id: 'beside', output: expect.stringContaining('beside'), is_error: false },
    { tool_use_id: 'nap', is_error: false },
  ]);
});
