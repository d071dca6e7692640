/** Tests messages that wait with their turns: users see them from their 200 on, models only once their turns begin. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import type { FollowedTurn } from '../harness/followed.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { held, says, stuck, textOf } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel?.stop());

/** A chat whose first turn runs until `go`, with more messages queued. */
async function busyChat(...texts: string[]) {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const first = held({ text: 'one' });
  upstream.next(first.reply);
  const running = await client.begin(chat.id, { text: 'first' });
  const waiting: FollowedTurn[] = [];
  for (const text of texts) waiting.push(await client.begin(chat.id, { text }));
  return { id: chat.id, go: first.go, running, waiting };
}

const texts = async (id: string) =>
  (await kernel.client.items(id)).map(item => [
    'text' in item ? item.text : item.kind,
    item.kind === 'user_message' && item.waiting,
  ]);

test('[WAIT-1] shows a message in every view from its 200 on', async () => {
  const { api, client } = kernel;
  const { id, go, running, waiting } = await busyChat('heron second', 'heron third');
  const [second, third] = waiting as [FollowedTurn, FollowedTurn];
  expect(await texts(id)).toEqual([
    ['first', undefined],
    ['heron second', true],
    ['heron third', true],
  ]);
  const { messages } = await client.listMessages(id);
  expect(messages.map(({ id, waiting }) => [id, waiting])).toEqual([
    [running.messageId, undefined],
    [second.messageId, true],
    [third.messageId, true],
  ]);
  expect((await client.getChat(id)).last_message_at).toBe(messages[2]?.created_at);
  const exported = await api.raw(`/v1/chats/${id}/export?format=md`, { method: 'GET' });
  expect(`${exported.body}`).toMatch(/heron second.*heron third/s);
  go();
  for (const stream of waiting) await stream.all();
});

test('[WAIT-2] returns queued messages last, in their order and marked, until their turns begin', async () => {
  const { client } = kernel;
  const { id, go, running, waiting } = await busyChat('second', 'third');
  const [second, third] = waiting as [FollowedTurn, FollowedTurn];
  const { messages } = await client.listMessages(id);
  expect(messages.map(({ id, waiting }) => [id, waiting])).toEqual([
    [running.messageId, undefined],
    [second.messageId, true],
    [third.messageId, true],
  ]);
  expect(messages[0]).not.toHaveProperty('waiting');
  go();
  for (const stream of waiting) await stream.all();
  expect(await texts(id)).toEqual([
    ['first', undefined],
    ['one', false],
    ['second', undefined],
    ['ok', false],
    ['third', undefined],
    ['ok', false],
  ]);
});

test('[WAIT-2] [MSG-2] [ITEM-9] returns queued messages in pages, from the last to the first', async () => {
  const { client } = kernel;
  const { id, go, waiting } = await busyChat('second', 'third');
  for (const list of ['listMessages', 'listItems'] as const) {
    const read: string[] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const page = await client[list](id, { limit: 1, ...(before && { before }) });
      const entries = 'messages' in page ? page.messages : page.items;
      read.push(...entries.map(entry => JSON.stringify(entry)));
      before = page.next_before;
    }
    expect(read.map(entry => /first|second|third/.exec(entry)?.[0])).toEqual(['third', 'second', 'first']);
  }
  go();
  for (const stream of waiting) await stream.all();
});

test('[WAIT-3] finds a queued message by search with a mark, and shows it to no model before its turn', async () => {
  const { client, upstream } = kernel;
  const { id, go, running, waiting } = await busyChat('Where do cormorants sleep?');
  const [hit] = (await client.search({ q: 'cormorants' })).results;
  expect(hit).toEqual({
    chat_id: id,
    message_id: waiting[0]?.messageId,
    snippet: 'Where do **cormorants** sleep?',
    waiting: true,
  });
  go();
  await running.all();
  const asked = upstream.requests.filter(({ body }) => JSON.stringify(body).includes('first'));
  expect(JSON.stringify(asked[0]?.body)).not.toContain('cormorants');
  await waiting[0]?.all();
  const { results } = await client.search({ q: 'cormorants' });
  expect(results[0]).not.toHaveProperty('waiting');
});

test('[WAIT-4] deletes the later queued messages with a queued message, while a turn runs', async () => {
  const { api, client, upstream } = kernel;
  const { id, go, running, waiting } = await busyChat('second', 'third', 'fourth');
  const [second, third, fourth] = waiting as [FollowedTurn, FollowedTurn, FollowedTurn];
  const taken = await api.delete(`/v1/chats/${id}/messages/${third.messageId}`);
  expect([taken.status, taken.body]).toEqual([
    200,
    { deleted: 2, first_deleted: third.messageId, not_undone: [] },
  ]);
  for (const { turnId } of [third, fourth]) {
    expect(await client.getTurn(id, turnId)).toMatchObject({ status: 'cancelled', started_at: null });
  }
  for (const stream of [third, fourth]) {
    expect((await stream.all()).at(-1)).toMatchObject({
      type: 'done',
      status: 'cancelled',
      stop_reason: 'cancelled',
      message_ids: [],
    });
  }
  // The message of a running turn cannot be taken back.
  const refused = await api.delete(`/v1/chats/${id}/messages/${running.messageId}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'turn_running' } });
  go();
  await second.all();
  expect((await texts(id)).map(([text]) => text)).toEqual(['first', 'one', 'second', 'ok']);
  await client.say(id, 'fifth');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toMatch(/third|fourth/);
  const gone = await api.delete(`/v1/chats/${id}/messages/${third.messageId}`);
  expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('[WAIT-4] copies no queued message into a fork, and forks before one', async () => {
  const { client } = kernel;
  const { id, go, waiting } = await busyChat('second', 'third');
  const branch = await client.forkChat(id, { before_message: waiting[1]?.messageId as string });
  expect((await texts(branch.id)).map(([text]) => text)).toEqual([
    expect.stringMatching(/^\[forked\]/),
    'first',
  ]);
  go();
  for (const stream of waiting) await stream.all();
});

test('[WAIT-4] [SLP-1] drops a turn that sleeps before its start on a cancel', async () => {
  const { client } = kernel;
  await client.sleep();
  const chat = await client.createChat();
  const stream = await client.begin(chat.id, { text: 'Good morning.' });
  await stream.until('sleeping');
  expect(await client.cancelTurn(chat.id)).toEqual({ cancelled: true, turn_id: stream.turnId });
  expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  expect(await client.items(chat.id)).toEqual([]);
  expect(await client.getChat(chat.id)).toMatchObject({ turn: null, last_message_at: null });
  await client.wake();
  expect(textOf(await client.say(chat.id, 'Again.'))).toBe('ok');
});

test('[WAIT-1] [WAIT-3] keeps queued messages over a restart, and runs their turns in order', async () => {
  const directory = temporaryDirectory();
  onTestFinished(() => directory.remove());
  const before = await startKernel({ dataDir: directory.path });
  const chat = await before.client.createChat();
  await before.client.sleep();
  for (const text of ['first', 'second'])
    await (await before.client.begin(chat.id, { text })).until('sleeping');
  const items = await before.client.items(chat.id);
  expect(items).toMatchObject([
    { text: 'first', waiting: true },
    { text: 'second', waiting: true },
  ]);
  await before.stop();

  const after = await kernelOf({ dataDir: directory.path });
  expect(await after.client.items(chat.id)).toEqual(items);
  after.upstream.next(says('one'), says('two'));
  const watching = await after.client.watch(chat.id, { follow: true });
  await after.client.wake();
  await watching.until('done');
  await expect
    .poll(async () => (await after.client.items(chat.id)).map(item => 'text' in item && item.text))
    .toEqual(['first', 'one', 'second', 'two']);
});

test('[WAIT-5] tells the model of the next turn about a canceled one', async () => {
  const kernel = await kernelOf();
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'Half of' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  await stream.all();
  await client.say(chat.id, 'And now?');
  const CUT = '(The owner canceled this turn here.)';
  const [, ...told] = upstream.requests.at(-1)?.body.messages ?? [];
  expect(told.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(JSON.stringify(told[1])).not.toContain(CUT);
  expect(JSON.stringify(told[2])).toContain(CUT);
  expect(JSON.stringify(told[2]).indexOf(CUT)).toBeLessThan(JSON.stringify(told[2]).indexOf('And now?'));
  // Users see the note; the line is only for the model.
  expect(JSON.stringify(await client.items(chat.id))).not.toContain(CUT);
});
