/** A chat of 100,000 messages is forked, exported and rewound as a matter of course. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../packages/storage/test/postgres.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { type Said, seed, seedChat } from '../harness/seed.ts';

const COUNT = 100_000;
/** A second is the aim; what is held here is that it is no minute, or on a slow machine no longer than filling the chat took. */
const LIMIT_MS = 10_000;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describe.each(['SQLite', 'Postgres'])('over %s', name => {
  const directory = temporaryDirectory();
  let kernel: TestKernel;
  let chat: string;
  let ids: string[];
  let filledInMs: number;
  beforeAll(async () => {
    const database = name === 'Postgres' ? await postgres.createDatabase() : undefined;
    const dataDir = directory.path;
    const said = Array.from(
      { length: COUNT },
      (_, n): Said => [n % 2 === 0 ? 'user' : 'assistant', `message ${n}: ${'word '.repeat(20)}`],
    );
    const begun = performance.now();
    ({ chat, ids } = await seed({ dataDir, database }, store => seedChat(store, said)));
    filledInMs = performance.now() - begun;
    kernel = await startKernel({ dataDir, ...(database !== undefined && { database }) });
  }, 600_000);
  afterAll(async () => {
    await kernel.stop();
    directory.remove();
  });

  async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const result = await work();
    const ms = performance.now() - begun;
    process.stdout.write(`${name}: ${what} of ${COUNT} messages in ${Math.round(ms)} ms\n`);
    expect(ms).toBeLessThan(Math.max(LIMIT_MS, filledInMs));
    return result;
  }

  test('[FORK-1] forking it takes about a second', async () => {
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

  test('[HIST-1] exporting it takes no more memory than its pieces, at the pace of the reader', async () => {
    const before = memory();
    const answer = await exchange(`${kernel.url}/v1/chats/${chat}/export`, { method: 'GET' });
    // Without a reader the export must not pile up in memory.
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(memory() - before).toBeLessThan(40_000_000);
    let lines = 0;
    for await (const piece of answer) lines += String(piece).split('\n').length - 1;
    // The chat itself is the first line.
    expect(lines).toBe(COUNT + 1);
  });

  test('[MSG-3] rewinding it takes about a second', async () => {
    const { body } = await timed('rewind', () => kernel.api.delete(`/v1/chats/${chat}/messages/${ids[2]}`));
    expect(body).toEqual({ deleted: COUNT - 2, first_deleted: ids[2], not_undone: [] });
    expect((await kernel.client.listMessages(chat)).messages).toHaveLength(2);
  });
});

/** Bytes that are in use. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
