/** Tests that what ends the module twice is given up with a notice, and that nothing else is. */
import { once } from 'node:events';
import { requestKey } from '@chat-kernel/module-sdk/surface';
import { expect, test } from 'vitest';
import { calls, held, says } from '../../../test/harness/story.ts';
import { ANN, BOB, eventually, kill, worldOf } from './bot.ts';

const NOTICE =
  'This answer could not be shown here: showing it ended the program twice. Read it in the chat "Ann on Telegram" in another client.';

test('gives up an answer that ends the module twice, with one notice, and no other answer', async () => {
  const world = await worldOf({ people: [BOB.id] });
  const { api, kernel, said } = world;
  const sent = () => api.of('sendMessage').map(({ chat_id }) => chat_id);
  // Both answers are being sent when the process ends. Only one of them ends the next process, too.
  for (let count = 0; count < 2; count++) api.fault({ method: 'sendMessage', how: 'hang' });
  kernel.upstream.next(says(`${'One. '.repeat(900)}\n\nTwo.`));
  const first = world.start();
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(sent()).toEqual([ANN.id]));
  api.write(BOB, { text: 'Hello.' });
  await eventually(() => expect(sent()).toEqual([ANN.id, BOB.id]));
  await kill(first);
  api.calls.length = 0;
  api.fault({ method: 'sendMessage', how: 'hang' });
  const second = world.start();
  await eventually(() => expect(sent()).toEqual([ANN.id]));
  await eventually(() => expect(api.of('getUpdates').length).toBeGreaterThan(0));
  await kill(second);
  expect(sent()).toEqual([ANN.id]);
  world.start();
  await world.hears(NOTICE);
  await world.hears('ok', BOB.id);
  api.write(ANN, { text: 'And now?' });
  await world.hears('ok');
  expect(said()).toEqual([NOTICE, 'ok']);
  expect(said(BOB.id)).toEqual(['ok']);
  expect(kernel.upstream.requests).toHaveLength(3);
});

test('delivers an answer whose sending is interrupted by a stop each time', async () => {
  const world = await worldOf();
  const { api, said } = world;
  api.write(ANN, { text: 'Hi.' });
  for (let count = 1; count <= 3; count++) {
    api.fault({ method: 'sendMessage', how: 'hang' });
    const { child } = world.start();
    await eventually(() => expect(api.of('sendMessage')).toHaveLength(count));
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
  world.start();
  await world.hears('ok');
  expect(said()).toEqual(['ok']);
});

test('gives up a message that ends the module twice while it is read, and handles the next one', async () => {
  const world = await worldOf();
  const { api, kernel, said } = world;
  api.files.set('doc', Buffer.from('a,b'));
  api.write(ANN, { document: { file_id: 'doc', file_unique_id: 'd', file_name: 'a.csv' } });
  api.write(ANN, { text: 'Hi.' });
  for (let count = 1; count <= 2; count++) {
    api.fault({ method: 'getFile', how: 'hang' });
    const program = world.start();
    await eventually(() => expect(api.of('getFile')).toHaveLength(count));
    await kill(program);
  }
  world.start();
  await world.hears(/^This message was not handled: reading it ended the program twice/);
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(said()).toHaveLength(2);
  expect(kernel.upstream.requests).toHaveLength(1);
});

/** Leaves the record of work as two kills in the middle of it leave it. Such work takes no time that a test could use. */
const crashedTwice = (world: Awaited<ReturnType<typeof worldOf>>, key: string) =>
  world.edit(`INSERT INTO crash_guard VALUES ('${key}', 1, 1)`);

test('gives up an answer that ends the module twice before it is in the outbox', async () => {
  const world = await worldOf();
  const { api, kernel, said } = world;
  const gate = held({ text: 'two' });
  kernel.upstream.next({ steps: [{ text: 'one ' }, ...(gate.reply.steps ?? [])] });
  const first = world.start();
  const { update_id } = api.write(ANN, { text: 'Count.' });
  await eventually(() => expect(api.drafts).toHaveLength(1));
  await kill(first);
  gate.go();
  crashedTwice(world, `answer ${update_id}`);
  world.start();
  await world.hears(NOTICE);
  api.write(ANN, { text: 'And now?' });
  await world.hears('ok');
  expect(said()).toEqual([NOTICE, 'ok']);
});

test('gives up a request that ends the module twice, with one notice over restarts', async () => {
  const world = await worldOf({ notify_requests: true });
  const { kernel, said } = world;
  const before = world.start();
  await eventually(() => expect(world.api.of('getUpdates')).toHaveLength(1));
  await kill(before);
  const question = { question: 'Which?', options: [{ label: 'Red' }, { label: 'Green' }] };
  kernel.upstream.next(calls('c1', 'ask_questions', { questions: [question] }));
  const { id: chat } = await kernel.client.createChat({});
  await kernel.client.begin(chat, { text: 'Ask.', questions: true });
  await eventually(async () => expect((await kernel.client.listRequests({})).requests).toHaveLength(1));
  const [request] = (await kernel.client.listRequests({})).requests;
  crashedTwice(world, `request ${requestKey(request!)}`);
  const notice =
    'A request could not be shown here: showing it ended the program twice. Decide in another client.';
  const first = world.start();
  await world.hears(notice);
  await eventually(() => expect(world.outbox()).toEqual(['sent']));
  await kill(first);
  const { api } = world;
  world.start();
  api.write(ANN, { text: '/stop' });
  await world.hears('No response is running.');
  expect(said()).toEqual([notice, 'No response is running.']);
  // The kernel would wait for the turn.
  await kernel.client.cancelTurn(chat, {});
});
