/** Tests the summary of a chat: how a rewind changes it, and how the user edits it. */
import type { Chat } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { append, foldedAt, seed, seedChat } from '../harness/seed.ts';
import { stuck } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: TestKernel;
let chats: { chat: string; ids: string[] }[];
beforeAll(async () => {
  const dataDir = directory.path;
  chats = await seed(dataDir, async store => {
    const made = [];
    for (let n = 0; n < 5; n++) {
      const created_at = '2026-01-02T03:04:05.678Z';
      const { chat, ids } = await seedChat(store, [
        ['user', 'alpha'],
        ['assistant', 'beta'],
      ]);
      const first = ids[1] as string;
      ids.push(...(await append(store, chat, [foldedAt('first fold', first), ['user', 'gamma']])));
      const upto_message = ids[3] as string;
      ids.push(...(await append(store, chat, [['assistant', 'delta']])));
      ids.push(...(await append(store, chat, [foldedAt('second fold', upto_message), ['user', 'epsilon']])));
      const summary = { text: 'second fold', upto_message, created_at };
      await store.chats.update(chat, { summary, context_tokens: 9, last_message_at: created_at });
      made.push({ chat, ids });
    }
    return made;
  });
  kernel = await startKernel({ dataDir });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

/** A chat of alpha, beta, [compaction up to beta], gamma, delta, [compaction up to gamma], epsilon. */
let chat: string;
let ids: string[];
beforeEach(() => {
  ({ chat, ids } = chats.pop() as (typeof chats)[0]);
});
const read = async (): Promise<Chat> => await kernel.client.getChat(chat);
const rewindTo = (index: number) => kernel.api.delete(`/v1/chats/${chat}/messages/${ids[index]}`);
const told = async () => {
  await kernel.client.say(chat, 'And?');
  const asked = kernel.upstream.requests.at(-1);
  expect(asked?.rejected).toBeUndefined();
  return JSON.stringify(asked?.body.messages);
};

test('[MSG-3] keeps the summary in a rewind up to its last message, then uses the one before it, then none', async () => {
  // The marker itself is deleted; the messages that it covers still exist.
  await rewindTo(5);
  expect((await read()).summary).toMatchObject({ text: 'second fold', upto_message: ids[3] });
  await rewindTo(4);
  expect((await read()).summary).toMatchObject({ text: 'second fold', upto_message: ids[3] });
  await rewindTo(3);
  expect((await read()).summary).toMatchObject({ text: 'first fold', upto_message: ids[1] });
  await rewindTo(2);
  expect((await read()).summary).toMatchObject({ text: 'first fold', upto_message: ids[1] });
  await rewindTo(1);
  expect(await read()).toMatchObject({ summary: null, last_message_at: expect.any(String) });
  await rewindTo(0);
  expect(await read()).toMatchObject({ summary: null, last_message_at: null });
});

test('[MSG-3] gives the model the earlier messages again after a rewind before the compaction', async () => {
  await rewindTo(3);
  const text = await told();
  expect(text).toContain('first fold');
  expect(text).not.toMatch(/second fold|alpha|gamma/);
  await kernel.client.rewind(chat, ids[1]!);
  expect(await told()).toMatch(/alpha/);
});

test('[CHAT-6] replaces the summary by an edit of the user, and gives the model the new one', async () => {
  const before = await read();
  const { status, body } = await kernel.api.patch(`/v1/chats/${chat}`, { summary: { text: 'by hand' } });
  expect([status, body.summary]).toEqual([200, { ...before.summary, text: 'by hand' }]);
  const text = await told();
  expect(text).toMatch(/by hand.*delta.*epsilon/);
  expect(text).not.toMatch(/second fold|alpha|beta|gamma/);
});

test('[CHAT-6] gives the model the whole history after the summary is removed, and rejects edits of it', async () => {
  const body = await kernel.client.patchChat(chat, { summary: null, title: 'Whole' });
  expect(body).toMatchObject({ summary: null, title: 'Whole' });
  const text = await told();
  expect(text).toMatch(/alpha.*beta.*gamma.*delta.*epsilon/);
  expect(text).not.toMatch(/fold/);
  const edit = await kernel.api.patch(`/v1/chats/${chat}`, { summary: { text: 'x' }, title: 'No' });
  expect(edit).toMatchObject({
    status: 400,
    body: { code: 'invalid_value', errors: [{ pointer: '/summary' }] },
  });
  expect((await read()).title).toBe('Whole');
  expect((await kernel.api.patch(`/v1/chats/${chat}`, { summary: null })).status).toBe(200);
  for (const summary of ['x', {}, { text: '' }]) {
    expect((await kernel.api.patch(`/v1/chats/${chat}`, { summary })).status).toBe(422);
  }
});

test('[CHAT-6] rejects summary changes while a turn runs, and accepts other changes', async () => {
  const { api, client, upstream } = kernel;
  upstream.next(stuck({ text: 'Well' }));
  const stream = await client.begin(chat, { text: 'Hi.' });
  await stream.until('text_delta');
  for (const summary of [null, { text: 'x' }]) {
    const answer = await api.patch(`/v1/chats/${chat}`, { summary, title: 'Busy' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'turn_running' } });
  }
  expect(await read()).toMatchObject({ title: null, summary: { text: 'second fold' } });
  expect((await api.patch(`/v1/chats/${chat}`, { title: 'Busy' })).status).toBe(200);
  await client.cancelTurn(chat);
  await stream.all();
});
