/** A store that is away for a while: nothing is acknowledged that is not stored, and nothing that was told is lost. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { eventsOf, held, says, textOf } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

/** A write waits five real seconds for a database that somebody else holds, and these tests see several of them fail. */
const PATIENT = 120_000;

/** Takes the database away, as a second program that writes into it does; the function gives it back. */
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

/** Moves the clock on until the work is done: pauses of the kernel end by it, those of the database do not. */
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

test('[SAFE-2] a message that cannot be stored is refused with 503, and the kernel goes on answering meanwhile', async () => {
  const kernel = await kernelIn();
  const { api, client, dataDir } = kernel;
  const chat = await client.createChat();
  const unlock = lockDatabase(dataDir);
  const posted = api.post(`/v1/chats/${chat.id}/messages`, { text: 'Hi.' });
  // A database that is held by somebody else stops nothing but what needs it.
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
      title: 'The kernel cannot store anything now',
      detail: 'The kernel cannot store anything now: another process holds the database.',
    },
  });
  expect(refused.headers['retry-after']).toBe('5');
  // SQLite's own waiting would have taken five seconds from one of them.
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
  '[SAFE-5] a finished step waits for the store, and then the turn goes on as if nothing had been',
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

test(
  '[SAFE-5] after thirty seconds the turn fails; what was told is in its items, and is stored when the store is back',
  async () => {
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
    const [error] = eventsOf(events, 'error');
    expect(error).toMatchObject({ code: 'storage_unavailable', retryable: true });
    const done = eventsOf(events, 'done')[0];
    expect(done).toMatchObject({ status: 'failed' });
    const told = async () =>
      (await client.items(chat.id)).map(item => (item.kind === 'agent_message' ? item.text : item.kind));
    expect(await told()).toEqual(['user_message', 'Told to those who watch.']);
    expect((await client.listMessages(chat.id)).messages.at(-1)).toMatchObject({ role: 'assistant' });
    expect(await client.getTurn(chat.id, stream.turnId)).toMatchObject({ status: 'failed' });
    unlock();
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
  },
  PATIENT,
);

test(
  '[SAFE-5] a stop stores what could not be stored before',
  async () => {
    const dataDir = directoryOfTest();
    const kernel = await kernelIn(dataDir);
    const { client, upstream, clock } = kernel;
    const chat = await client.createChat();
    const { reply, go } = held({ text: 'Told.' });
    upstream.next(reply);
    const stream = await client.begin(chat.id, { text: 'Go.' });
    const unlock = lockDatabase(dataDir);
    go();
    await whileAdvancing(clock, 500, stream.all());
    expect(storedIn(dataDir, chat.id)()).toBe(1);
    unlock();
    await kernel.stop();
    expect(storedIn(dataDir, chat.id)()).toBe(2);
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
])('[SAFE-2] [SAFE-5] a database that %s under the kernel takes no work', async (_, harm, detail) => {
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

test('[SAFE-2] [SAFE-5] a lock that was deleted under the kernel takes no work: another kernel could take its place', async () => {
  const dataDir = directoryOfTest();
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => void (await kernel.stop()));
  renameSync(join(dataDir, 'chat-kernel.lock'), join(dataDir, 'gone'));
  expect((await kernel.api.get('/readyz')).status).toBe(503);
  expect((await kernel.api.post('/v1/chats', {})).status).toBe(503);
});

test('[SAFE-2] a damaged file is noticed while the kernel runs', async () => {
  const dataDir = directoryOfTest();
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => void (await kernel.stop()));
  const path = join(dataDir, 'chat-kernel.db');
  writeFileSync(path, Buffer.alloc(8192, 'damage'), { flag: 'r+' });
  expect((await kernel.api.get('/readyz')).status).toBe(503);
});

test('[SAFE-2] a kernel that shuts down is not ready, and says so', async () => {
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const kernel = await startKernelProcess({ upstream });
  const chat = await kernel.client.createChat();
  const { reply, go } = held({ text: 'Late.' });
  upstream.next(reply);
  const stream = await kernel.client.begin(chat.id, { text: 'Go.' });
  const stopped = kernel.stop();
  await expect.poll(async () => (await kernel.api.get('/readyz')).status).toBe(503);
  go();
  expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  await stopped;
});
