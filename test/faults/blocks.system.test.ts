/**
 * Sends worst-case input to the program as users start it: the turn ends correctly, the chat stays readable, and the
 * event loop is never blocked for long. Prints the longest block of each fault by the kernel's own metric. The limit
 * applies to the computing part of a block: on a busy machine a process may wait for seconds, which is not its fault.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { megabytes, memoryFrom, noMemory, peakMemory } from '../chaos/memory.ts';
import { largePng } from '../harness/large-png.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { flood, rawUpstream } from '../harness/raw-upstream.ts';
import { eventsOf, textOf } from '../harness/story.ts';
import type { Upstream } from '../upstream/server.ts';

const MIB = 1024 * 1024;
/** Processor time in one block. On an idle machine no fault takes a tenth of this. */
const LONGEST_BLOCK_MS = 3000;
/** Above the initial memory. It includes data that waits in the sockets and uncollected garbage. */
const MOST_MEMORY = 250e6;

type Answer = (response: ServerResponse) => Promise<void> | void;
/** The responses of the provider; a request without one is answered "ok". */
const answers: Answer[] = [];
let asked = 0;
let upstream: Upstream;
let kernel: KernelProcess;
beforeAll(async () => {
  upstream = await rawUpstream(async response => {
    asked += 1;
    await (answers.shift() ?? speaks({ content: 'ok' }))(response);
  });
  kernel = await startKernelProcess({ upstream });
});
afterAll(async () => {
  await kernel.stop();
  await upstream.close();
});

const frame = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A whole response, made of these pieces. */
const speaks =
  (...deltas: object[]): Answer =>
  async response => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of deltas) await flood(response, frame(delta), 1);
    response.write(`${frame({}, 'stop')}data: [DONE]\n\n`);
  };

const callOf = (index: number, name: string, text: string) => ({
  tool_calls: [{ index, id: `call_${index}_${asked}`, function: { name, arguments: text } }],
});

/** Does the work, and checks the longest block of the loop during it against the limit. */
async function measured<Result>(fault: string, work: () => Promise<Result>): Promise<Result> {
  await longestBlock();
  const logged = kernel.log().length;
  const began = performance.now();
  const result = await work();
  const block = await longestBlock();
  const took = performance.now() - began;
  process.stdout.write(`${fault}: the longest block was ${block.toFixed(0)} ms of ${took.toFixed(0)} ms\n`);
  for (const line of kernel.log().slice(logged).split('\n')) {
    if (!line.includes('the event loop was blocked')) continue;
    const { ms, cpu_ms } = JSON.parse(line);
    process.stdout.write(`  ${ms} ms, ${cpu_ms} ms of them computing\n`);
    expect(Math.min(ms, cpu_ms), fault).toBeLessThan(LONGEST_BLOCK_MS);
  }
  return result;
}

/** The longest block since the last call, in milliseconds. */
async function longestBlock(): Promise<number> {
  const { body } = await kernel.api.raw('/metrics', { method: 'GET' });
  const [, seconds] = /^chat_kernel_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(`${body}`) ?? [];
  if (seconds === undefined) throw new Error('the kernel tells no delay of its loop');
  return Number(seconds) * 1000;
}

/** Runs a turn with these responses and checks that the chat is readable afterwards, and continues. */
async function turnWith(fault: string, ...given: Answer[]) {
  const { api, client } = kernel;
  const chat = await client.createChat();
  answers.push(...given);
  const events = await measured(fault, () => client.say(chat.id, 'Go.'));
  answers.length = 0;
  for (const view of ['items', 'messages']) {
    expect((await api.get(`/v1/chats/${chat.id}/${view}`)).status).toBe(200);
  }
  expect(textOf(await client.say(chat.id, 'And now?'))).toBe('ok');
  return { events, error: eventsOf(events, 'error')[0] };
}

test('a line of 300 MB', async () => {
  const before = noMemory ? 0 : memoryFrom(kernel.pid);
  const { error } = await turnWith('a line of 300 MB', async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "');
    await flood(response, 'a'.repeat(64 * 1024), 300e6);
  });
  expect(error).toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('line of more than 8 MiB'),
  });
  if (noMemory) return;
  const peak = peakMemory(kernel.pid) - before;
  process.stdout.write(`a line of 300 MB: ${megabytes(peak)} of memory\n`);
  expect(peak).toBeLessThan(MOST_MEMORY);
});

test.each([
  ['words of 300 MB', 'It is wrong. '.repeat(5000), 300e6],
  ['one word of 1 MiB', 'a-'.repeat(MIB / 2), MIB],
  ['brackets of 1 MiB', '['.repeat(MIB), MIB],
])('an error response: %s', async (name, piece, bytes) => {
  const { error } = await turnWith(`a refusal, ${name}`, async response => {
    response.writeHead(400, { 'content-type': 'application/json' });
    await flood(response, piece, bytes);
  });
  expect(error?.code).toBe('upstream_error');
});

test('a line of 8 MB with maximum nesting', async () => {
  const { error } = await turnWith('4 million levels', async response => {
    await flood(response, `data: ${'['.repeat(4e6 - 10)}${']'.repeat(4e6 - 10)}\n\n`, 1);
  });
  expect(error?.message).toContain('nested more than 128 levels');
});

test('lines of only \\r', async () => {
  const { events } = await turnWith('4 MiB of line ends', async response => {
    await flood(response, '\r'.repeat(64 * 1024), 4 * MIB);
  });
  // A response without content is requested again.
  expect(textOf(events)).toBe('ok');
});

test('an input nested 5,600 levels deep', async () => {
  const deep = `{"tasks":${'['.repeat(5600)}${']'.repeat(5600)}}`;
  const { error } = await turnWith('5,600 levels', speaks(callOf(0, 'plan', deep)));
  expect(error?.message).toContain('nested more than 64 levels');
});

test('2,000 calls in one step', async () => {
  const deltas = Array.from({ length: 2000 }, (_, at) => callOf(at, 'plan', '{"tasks":[]}'));
  const { error } = await turnWith('2,000 calls', speaks(...deltas));
  expect(error?.message).toContain('more than 128 calls');
});

test('a call that is refused in every step', async () => {
  const before = asked;
  const { error } = await turnWith(
    'a refused call',
    ...Array.from({ length: 100 }, (_, at) => speaks(callOf(at, 'nope', '{}'))),
  );
  expect(error?.code).toBe('repeated_call');
  // Three of this turn, and one of the next.
  expect(asked - before).toBe(4);
});

test('a body of 32 MiB with maximum nesting', async () => {
  const body = `${'['.repeat(16 * MIB)}${']'.repeat(16 * MIB)}`;
  const asking = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const { status } = await measured('a body of 16 million levels', () => kernel.api.raw('/v1/chats', asking));
  expect(status).toBe(400);
});

test('pictures', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const message = (width: number, height: number, count: number) => ({
    text: 'Look.',
    images: Array(count).fill({
      media_type: 'image/png' as const,
      data: largePng(width, height).toString('base64'),
    }),
  });
  const six = message(16_000, 16_000, 6);
  const refused = await measured('six pictures of 256 million pixels', () =>
    api.post(`/v1/chats/${chat.id}/messages`, six),
  );
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_value',
      detail: 'The image has 16000 x 16000 pixels; the limit is 120 million pixels.',
      errors: [{ pointer: '/images/0/data' }],
    },
  });
  const { text, images } = message(10_000, 10_000, 4);
  const events = await measured('four pictures of 100 million pixels', () =>
    client.say(chat.id, text, { images }),
  );
  expect(textOf(events)).toBe('ok');
});
