/**
 * Tests that a chat of 100,000 messages (at scale; 10,000 in a normal run) can be forked, exported and rewound quickly.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PATIENT } from '../harness/patient.ts';
import { atScale } from '../harness/scale.ts';
import { type Said, seed, seedChat } from '../harness/seed.ts';

const COUNT = atScale(10_000, 100_000);
/**
 * The goal is a second. The test only requires less than a minute, or on a slow machine no longer than filling the chat
 * took.
 */
const LIMIT_MS = 10_000;

const directory = temporaryDirectory();
let kernel: TestKernel;
let chat: string;
let ids: string[];
let filledInMs: number;
beforeAll(async () => {
  const dataDir = directory.path;
  const said = Array.from(
    { length: COUNT },
    (_, n): Said => [n % 2 === 0 ? 'user' : 'assistant', `message ${n}: ${'word '.repeat(20)}`],
  );
  const begun = performance.now();
  ({ chat, ids } = await seed(dataDir, store => seedChat(store, said)));
  filledInMs = performance.now() - begun;
  kernel = await startKernel({ dataDir });
  // 100,000 rows of Postgres take a slow disk minutes.
}, 4 * PATIENT.timeout);
afterAll(async () => {
  await kernel?.stop();
  directory.remove();
});

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work();
  const ms = performance.now() - begun;
  process.stdout.write(`${what} of ${COUNT} messages in ${Math.round(ms)} ms\n`);
  expect(ms).toBeLessThan(Math.max(LIMIT_MS, filledInMs));
  return result;
}

/** Returns the id of a chat's third message. Items are named `<message>:<block>`; a fork begins with a note. */
async function thirdMessage(id: string): Promise<string> {
  const answer = await exchange(`${kernel.url}/v1/chats/${id}/export`, { method: 'GET' });
  let text = '';
  for await (const piece of answer) {
    text += piece;
    const whole = text
      .split('\n')
      .slice(1, -1)
      .map(line => JSON.parse(line));
    const third = whole.find(item => item.text?.startsWith('message 2:'));
    if (third !== undefined) return third.id.split(':')[0];
  }
  throw new Error('the export lacks the third message');
}

test('[FORK-1] forks it in about a second', async () => {
  const before_message = ids.at(-1);
  const { status, body } = await timed('fork', () =>
    kernel.api.post(`/v1/chats/${chat}/fork`, { before_message }),
  );
  expect(status).toBe(201);
  const { messages } = await kernel.client.listMessages(body.id, { limit: 1 });
  expect(messages[0]?.content[0]).toMatchObject({
    text: expect.stringContaining(`message ${COUNT - 2}:`),
  });
});

test('[HIST-1] exports it in pieces at the pace of the reader, without more memory', async () => {
  const before = memory();
  const answer = await exchange(`${kernel.url}/v1/chats/${chat}/export`, { method: 'GET' });
  // Without a reader the export must not accumulate in memory.
  for (let look = 0; look < 10; look++) {
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(memory() - before).toBeLessThan(40_000_000);
  }
  let lines = 0;
  for await (const piece of answer) lines += String(piece).split('\n').length - 1;
  // The chat itself is the first line.
  expect(lines).toBe(COUNT + 1);
});

test('[MSG-3] rewinds it in about a second', async () => {
  // The other tests need the whole chat, so this one cuts a fork of it, which lacks the last message.
  const fork = (await kernel.api.post(`/v1/chats/${chat}/fork`, { before_message: ids.at(-1) })).body.id;
  const third = await thirdMessage(fork);
  const { body } = await timed('rewind', () => kernel.api.delete(`/v1/chats/${fork}/messages/${third}`));
  expect(body).toEqual({ deleted: COUNT - 3, first_deleted: third, not_undone: [] });
  // Two messages and the note of the fork.
  expect((await kernel.client.listMessages(fork)).messages).toHaveLength(3);
});

/** Used memory in bytes. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
