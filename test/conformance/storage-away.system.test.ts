/** Tests an unavailable store: the kernel acknowledges only stored data, and loses nothing that it has sent. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { eventsOf, held, says, textOf } from '../harness/story.ts';

/** A write waits five real seconds for a database that is locked, and these tests see several such writes fail. */
const PATIENT = 120_000;

/** Locks the database, as a second program that writes into it does; the returned function unlocks it. */
function lockDatabase(dataDir: string): () => void {
  const other = new DatabaseSync(join(dataDir, 'chat-kernel.db'));
  other.exec('begin immediate');
  let locked = true;
  const unlock = () => {
    if (locked) other.close();
    locked = false;
  };
  onTestFinished(unlock);
  return unlock;
}

async function kernelIn(dataDir = directoryOfTest(), clock = new ManualClock()) {
  const kernel = await startKernel({ dataDir, clock });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= kernel.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { ...kernel, stop, dataDir, clock };
}

/** Advances the clock until the work is done: this ends pauses of the kernel, but not those of the database. */
async function whileAdvancing<Result>(
  clock: ManualClock,
  ms: number,
  work: Promise<Result>,
): Promise<Result> {
  let done = false;
  const end = () => {
    done = true;
  };
  work.then(end, end);
  while (!done) {
    clock.advance(ms);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return work;
}

test('[SAFE-2] returns 503 for a message that cannot be stored, and continues to answer', async () => {
  const kernel = await kernelIn();
  const { api, client, dataDir } = kernel;
  const chat = await client.createChat();
  const unlock = lockDatabase(dataDir);
  const posted = api.post(`/v1/chats/${chat.id}/messages`, { text: 'Hi.' });
  // A database that another program has locked stops only what needs it.
  const times: number[] = [];
  for (let n = 0; n < 20; n++) {
    const began = performance.now();
    expect((await api.get('/healthz')).status).toBe(200);
    expect((await client.getChat(chat.id)).id).toBe(chat.id);
    times.push(performance.now() - began);
  }
  const refused = await posted;
  expect(refused).toMatchObject({
    status: 503,
    body: {
      code: 'storage_unavailable',
      title: 'Storage unavailable',
      detail: 'Storage unavailable: another process holds the database.',
    },
  });
  expect(refused.headers['retry-after']).toBe('5');
  // SQLite's own waiting would have added five seconds to one of them.
  expect(Math.max(...times)).toBeLessThan(4000);
  const ready = await api.get('/readyz');
  expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready' } });
  unlock();
  expect((await api.get('/readyz')).status).toBe(200);
  await client.say(chat.id, 'Hi again.');
  const { messages } = await client.listMessages(chat.id);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test(
  '[SAFE-5] delays a finished step until the store is back, and continues the turn',
  async () => {
    const { client, upstream, dataDir, clock } = await kernelIn();
    const chat = await client.createChat();
    const plan = { tasks: [] };
    const { reply, go } = held(
      { text: 'Before the call.' },
      { call: { id: 'p', name: 'plan', input: plan } },
    );
    upstream.next(reply, says('After it.'));
    const stream = await client.begin(chat.id, { text: 'Go.' });
    const unlock = lockDatabase(dataDir);
    go();
    await stream.until('tool_call');
    setTimeout(unlock, 6500);
    const events = await whileAdvancing(clock, 10, stream.all());
    expect(textOf(events)).toBe('Before the call.After it.');
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    const items = await client.items(chat.id);
    expect(items.map(({ kind }) => kind)).toEqual([
      'user_message',
      'agent_message',
      'tool_call',
      'agent_message',
    ]);
  },
  PATIENT,
);

/** A kernel whose turn has failed because its database was locked for thirty seconds; it still is. */
async function withFailedTurn() {
  const dataDir = directoryOfTest();
  const kernel = await kernelIn(dataDir);
  const { client, upstream, clock } = kernel;
  const chat = await client.createChat();
  const { reply, go } = held({ text: 'Told to those who watch.' });
  upstream.next(reply);
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const unlock = lockDatabase(dataDir);
  go();
  const events = await whileAdvancing(clock, 500, stream.all());
  return { ...kernel, dataDir, chat, stream, events, unlock };
}

test(
  '[SAFE-5] fails the turn after thirty seconds, keeps its output in its items, and stores it once the store is back, or during a stop',
  async () => {
    const [kernel, stopping] = await Promise.all([withFailedTurn(), withFailedTurn()]);
    const { client, clock, dataDir, chat, stream, events } = kernel;
    const [error] = eventsOf(events, 'error');
    expect(error).toMatchObject({ code: 'storage_unavailable', retryable: true });
    const done = eventsOf(events, 'done')[0];
    expect(done).toMatchObject({ status: 'failed' });
    const told = async () =>
      (await client.items(chat.id)).map(item => (item.kind === 'agent_message' ? item.text : item.kind));
    expect(await told()).toEqual(['user_message', 'Told to those who watch.']);
    expect((await client.listMessages(chat.id)).messages.at(-1)).toMatchObject({ role: 'assistant' });
    expect(await client.getTurn(chat.id, stream.turnId)).toMatchObject({ status: 'failed' });
    kernel.unlock();
    await whileAdvancing(clock, 1000, expect.poll(storedIn(dataDir, chat.id)).toBe(2));
    expect(await told()).toEqual(['user_message', 'Told to those who watch.']);
    await kernel.stop();
    const next = await kernelIn(dataDir);
    const items = await next.client.items(chat.id);
    expect(items.map(({ kind }) => kind)).toEqual(['user_message', 'agent_message']);
    expect(await next.client.getTurn(chat.id, stream.turnId)).toMatchObject({
      status: 'failed',
      error: { code: 'storage_unavailable' },
    });

    const stored = storedIn(stopping.dataDir, stopping.chat.id);
    expect(stored()).toBe(1);
    stopping.unlock();
    await stopping.stop();
    expect(stored()).toBe(2);
  },
  PATIENT,
);

/** The messages of a chat that are on the disk. */
const storedIn = (dataDir: string, chatId: string) => () => {
  const database = new DatabaseSync(join(dataDir, 'chat-kernel.db'), { readOnly: true });
  try {
    return database.prepare('select count(*) as n from messages where chat_id = ?').get(chatId)?.n;
  } finally {
    database.close();
  }
};

test.each<[string, (path: string) => void, RegExp]>([
  [
    'was deleted',
    path => renameSync(path, `${path}.gone`),
    /was deleted while the kernel ran; start it again\.$/,
  ],
  [
    'was replaced',
    path => {
      renameSync(path, `${path}.gone`);
      writeFileSync(path, '');
    },
    /was replaced while the kernel ran; start it again\.$/,
  ],
])('[SAFE-2] [SAFE-5] rejects work if its database %s while the kernel runs', async (_, harm, detail) => {
  const dataDir = directoryOfTest();
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => void (await kernel.stop()));
  const chat = await kernel.client.createChat();
  expect((await kernel.api.get('/readyz')).status).toBe(200);
  harm(join(dataDir, 'chat-kernel.db'));
  expect((await kernel.api.get('/readyz')).status).toBe(503);
  const refused = await kernel.api.post(`/v1/chats/${chat.id}/messages`, { text: 'Hi.' });
  expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  expect(refused.body.detail).toMatch(detail);
});

test('[SAFE-2] [SAFE-5] rejects work if its lock was deleted, because another kernel could replace it', async () => {
  const dataDir = directoryOfTest();
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => void (await kernel.stop()));
  renameSync(join(dataDir, 'chat-kernel.lock'), join(dataDir, 'gone'));
  expect((await kernel.api.get('/readyz')).status).toBe(503);
  expect((await kernel.api.post('/v1/chats', {})).status).toBe(503);
});

test('[SAFE-2] detects a damaged file while the kernel runs', async () => {
  const dataDir = directoryOfTest();
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => void (await kernel.stop()));
  const path = join(dataDir, 'chat-kernel.db');
  writeFileSync(path, Buffer.alloc(8192, 'damage'), { flag: 'r+' });
  expect((await kernel.api.get('/readyz')).status).toBe(503);
});
