/** Tests that the anchor, which links a turn to a message of another surface, is stored with the turn. */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { held } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

/** Ids of other surfaces: negative for a group, and larger than 32 bits. */
const ANCHOR = { chat_id: -1_001_234_567_890, message_id: 42 };

const settings = { server: { shutdown_grace_secs: 0 } };

const kernel = sharedKernel();

const outcome = async ({ client }: Pick<TestKernel, 'client'>, chatId: string, turnId: string) =>
  await client.getTurn(chatId, turnId);

test('[TURN-7] returns an anchor while its turn is queued, while it runs, after its end, and after a restart', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  let own = await startKernel({ upstream, dataDir: directory.path, settings });
  onTestFinished(() => own.stop());
  const chat = await own.client.createChat();
  const [slow, other] = [held({ text: 'One.' }), held({ text: 'Two.' })];
  upstream.next(slow.reply, other.reply);
  const first = await own.client.begin(chat.id, { text: 'Wait.' });
  const bound = await own.client.begin(chat.id, { text: 'Go.', anchor: ANCHOR });
  const told = () => outcome(own, chat.id, bound.turnId);
  expect(await told()).toMatchObject({ status: 'queued', anchor: ANCHOR });
  slow.go();
  await first.all();
  await expect.poll(told).toMatchObject({ status: 'running', anchor: ANCHOR });
  other.go();
  await bound.all();
  expect(await told()).toMatchObject({ status: 'completed', anchor: ANCHOR });
  expect(await outcome(own, chat.id, first.turnId)).not.toHaveProperty('anchor');
  await own.stop();
  own = await startKernel({ upstream, dataDir: directory.path, settings });
  expect(await told()).toMatchObject({ status: 'completed', anchor: ANCHOR });
  expect(await outcome(own, chat.id, first.turnId)).not.toHaveProperty('anchor');
});

test('[TURN-7] keeps the anchor of a queued turn over a restart', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  let own = await startKernel({ upstream, dataDir: directory.path, settings });
  onTestFinished(() => own.stop());
  const chat = await own.client.createChat();
  const [slow, other] = [held({ text: 'Never.' }), held({ text: 'Two.' })];
  upstream.next(slow.reply, other.reply);
  await own.client.begin(chat.id, { text: 'Wait.' });
  const bound = await own.client.begin(chat.id, { text: 'Go.', anchor: ANCHOR });
  // Otherwise the stop may come before the model request, and the other turn would get the reply that never comes.
  await expect.poll(() => upstream.requests).toHaveLength(1);
  await own.stop();
  own = await startKernel({ upstream, dataDir: directory.path, settings });
  const told = () => outcome(own, chat.id, bound.turnId);
  await expect.poll(told).toMatchObject({ status: 'running', anchor: ANCHOR });
  other.go();
  await expect.poll(told).toMatchObject({ status: 'completed', anchor: ANCHOR });
});

test('[TURN-7] leaves the anchor out of model input, messages and items', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'Go.', { anchor: ANCHOR });
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('1001234567890');
  const messages = await client.listMessages(chat.id);
  expect(JSON.stringify([messages, await client.items(chat.id)])).not.toContain('anchor');
});

test('[TURN-7] accepts zero as an id', async () => {
  const chat = await kernel.client.createChat();
  const anchor = { chat_id: 0, message_id: 0 };
  const stream = await kernel.client.begin(chat.id, { text: 'Go.', anchor });
  await stream.all();
  expect((await outcome(kernel, chat.id, stream.turnId)).anchor).toEqual(anchor);
});

test.each<[unknown, string]>([
  ['1', '/anchor'],
  [null, '/anchor'],
  [[1, 2], '/anchor'],
  [{ chat_id: 1 }, '/anchor/message_id'],
  [{ message_id: 1 }, '/anchor/chat_id'],
  [{ chat_id: '1', message_id: 2 }, '/anchor/chat_id'],
  [{ chat_id: 1, message_id: 1.5 }, '/anchor/message_id'],
  [{ chat_id: 1, message_id: null }, '/anchor/message_id'],
  [{ chat_id: 2 ** 53, message_id: 1 }, '/anchor/chat_id'],
])('[TURN-7] [TURN-9] rejects the anchor %j, and stores nothing', async (anchor, pointer) => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const { status, body } = await api.post(`/v1/chats/${chat.id}/messages`, { text: 'Go.', anchor });
  expect([status, body.code]).toEqual([422, 'schema_mismatch']);
  expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  expect(await client.items(chat.id)).toEqual([]);
});

test('[TURN-7] [TURN-12] compares the anchor in an idempotent repeat', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const key = { 'idempotency-key': 'k' };
  await (await api.turn(chat.id, { text: 'Go.', anchor: ANCHOR }, key)).all();
  const other = { text: 'Go.', anchor: { ...ANCHOR, message_id: 43 } };
  const answer = await api.post(`/v1/chats/${chat.id}/messages`, other, key);
  expect([answer.status, answer.body.code]).toEqual([409, 'idempotency_mismatch']);
});
