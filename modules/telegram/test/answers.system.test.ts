/** Tests that a message runs once and its answer is sent once, also after a kill of the module. */
import { expect, test } from 'vitest';
import { held, says } from '../../../test/harness/story.ts';
import { ANN, eventually, kill, killedBeforeItConfirms, worldOf } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';

const chatsOf = async ({ kernel }: Awaited<ReturnType<typeof worldOf>>) =>
  (await kernel.client.listChats({ shelf: 'telegram' })).chats;

test('runs a message of the owner as a turn of the master and answers once', async () => {
  const world = await worldOf();
  const { kernel, api } = world;
  world.start();
  kernel.upstream.next(says('Hello **Ann** & <all>.'));
  const { message_id } = api.write(ANN, { text: 'Hi.' });
  const answer = await world.hears('Hello Ann & <all>.');
  expect(answer.html).toBe(true);
  expect(api.of('sendMessage').at(-1)?.text).toBe('Hello <b>Ann</b> &amp; &lt;all&gt;.');
  const [chat] = await chatsOf(world);
  expect(chat?.title).toBe('Ann on Telegram');
  const [said] = await kernel.api.items(chat!.id);
  expect(said).toMatchObject({ kind: 'user_message', text: 'Hi.', master: true });
  const turn = await kernel.client.getTurn(chat!.id, said!.turn_id as string);
  expect(turn.anchor).toEqual({ chat_id: ANN.id, message_id, module: 'telegram' });
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(world.said()).toEqual(['Hello Ann & <all>.']);
});

test('confirms an update to Telegram only after the kernel has the message', async () => {
  const world = await worldOf();
  const { api } = world;
  const { update_id } = api.write(ANN, { text: 'Hi.' });
  world.start();
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  const offsets = api.of('getUpdates').map(({ offset }) => offset);
  expect(offsets[0]).toBeUndefined();
  expect(offsets.slice(1)).toContain(update_id + 1);
});

test('delivers the answer after a kill during the response, with one provider request', async () => {
  const world = await worldOf();
  const { kernel, api } = world;
  const gate = held({ text: 'two' });
  kernel.upstream.next({ steps: [{ text: 'one ' }, ...(gate.reply.steps ?? [])] });
  const first = world.start();
  api.write(ANN, { text: 'Count.' });
  await eventually(() => expect(api.drafts.at(-1)?.text).toBe('one'));
  await kill(first);
  world.start();
  gate.go();
  await world.hears('one two');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(world.said()).toEqual(['one two']);
  expect(kernel.upstream.requests).toHaveLength(1);
});

test('runs a message once after a kill between the 200 of the kernel and the next poll', async () => {
  const world = await worldOf();
  const { api } = world;
  const first = world.start();
  // The poll that would confirm the update always fails.
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(1));
  for (let count = 0; count < 3; count++) api.fault({ method: 'getUpdates', how: 'hang' });
  api.write(ANN, { text: 'Once.' });
  await eventually(() => expect(world.outbox()).toEqual(['sent']));
  expect(api.unconfirmed).toBe(1);
  await killedBeforeItConfirms(world, first);
});

test('repeats the same request after a kill before the 200 of the kernel, and it runs once', async () => {
  const world = await worldOf();
  const { kernel, api } = world;
  const first = world.start();
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(1));
  world.line.hears = false;
  api.files.set('doc', Buffer.from('a,b'));
  api.write(ANN, { caption: 'Once.', document: { file_id: 'doc', file_unique_id: 'd', file_name: 'a.csv' } });
  await eventually(() => expect(world.line.lost).toBe(1));
  expect(api.unconfirmed).toBe(1);
  await kill(first);
  expect(world.noted()).toEqual([]);
  world.line.hears = true;
  world.start();
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(world.said()).toEqual(['ok']);
  expect(kernel.upstream.requests).toHaveLength(1);
  // The file was fetched and stored once: a repeat under the same key has to be the same request.
  expect(api.of('getFile')).toHaveLength(1);
});

test('notifies the sender instead of repeating a message whose idempotency key has expired', async () => {
  const world = await worldOf();
  const { kernel, api } = world;
  const first = world.start();
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(1));
  world.line.hears = false;
  api.write(ANN, { text: 'Once.' });
  await eventually(() => expect(world.line.lost).toBe(1));
  await kill(first);
  world.line.hears = true;
  world.edit('UPDATE turn SET taken_at = 0');
  world.start();
  await world.hears(/^An earlier message of yours was interrupted/);
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(1);
});

test('delivers an answer regardless of the age of its message', async () => {
  const world = await worldOf();
  const { kernel, api } = world;
  const gate = held({ text: 'two' });
  kernel.upstream.next({ steps: [{ text: 'one ' }, ...(gate.reply.steps ?? [])] });
  const first = world.start();
  api.write(ANN, { text: 'Count.' });
  await eventually(() => expect(api.drafts).toHaveLength(1));
  await kill(first);
  world.edit('UPDATE turn SET taken_at = 0');
  gate.go();
  world.start();
  await world.hears('one two');
  expect(kernel.upstream.requests).toHaveLength(1);
});

test('sends the answer once after a kill before Telegram received it', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  const first = world.start();
  api.fault({ method: 'sendMessage', how: 'hang' });
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(api.of('sendMessage')).toHaveLength(1));
  await kill(first);
  expect(world.said()).toEqual([]);
  world.start();
  await world.hears('ok');
  api.write(ANN, { text: 'And now?' });
  await eventually(() => expect(world.said()).toEqual(['ok', 'ok']));
  expect(kernel.upstream.requests).toHaveLength(2);
});

test('sends the answer again after a kill between the 200 of Telegram and its record', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  const first = world.start();
  api.fault({ method: 'sendMessage', how: 'after', until: new Promise(() => {}) });
  api.write(ANN, { text: 'Hi.' });
  await world.hears('ok');
  await kill(first);
  world.start();
  await eventually(() => expect(world.said()).toEqual(['ok', 'ok']));
  expect(kernel.upstream.requests).toHaveLength(1);
});

test('keeps an answer until the next start if Telegram rejects the token', async () => {
  const world = await worldOf();
  const { api } = world;
  const first = world.start();
  api.fault({ method: 'sendMessage', how: 'refuse', refusal: new Refusal(401, 'Unauthorized') });
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(world.outbox()).toEqual(['waiting']));
  await eventually(() => expect(first.printed()).toContain('A message could not be sent'));
  await kill(first);
  world.start();
  await world.hears('ok');
});

test('delivers an answer after the kernel failed to return it', async () => {
  const { kernel, api, line, start, hears } = await worldOf();
  kernel.upstream.next(says('Here it is.'));
  line.broken = '/items';
  start();
  api.write(ANN, { text: 'Where?' });
  await eventually(() => expect(line.failed).toBeGreaterThan(0));
  line.broken = null;
  await hears('Here it is.');
});
