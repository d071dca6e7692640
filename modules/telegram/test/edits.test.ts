/** Messages that were edited after they were sent. */
import { expect, test } from 'vitest';
import { held, says } from '../../../test/harness/story.ts';
import { ANN, eventually, kill, worldOf } from './bot.ts';

/** The texts of users in the one chat, and what they quote. */
async function saidIn({ kernel }: Awaited<ReturnType<typeof worldOf>>) {
  const [chat] = (await kernel.client.listChats({ shelf: 'telegram' })).chats;
  const items = await kernel.api.items(chat!.id);
  return items.flatMap(item => (item.kind === 'user_message' ? [item.text] : []));
}

test('an edit of a message that still waits takes its place, and nobody is told of an end', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  world.start();
  const gate = held({ text: 'First.' });
  kernel.upstream.next(gate.reply, says('Second.'));
  api.write(ANN, { text: 'One.' });
  await eventually(() => expect(kernel.upstream.requests).toHaveLength(1));
  const { message_id } = api.write(ANN, { text: 'Tow.' });
  await eventually(async () => expect(await saidIn(world)).toEqual(['One.', 'Tow.']));
  api.edit(ANN, message_id, { text: 'Two.' });
  await eventually(async () => expect(await saidIn(world)).toEqual(['One.', 'Two.']));
  gate.go();
  await eventually(() => expect(world.said()).toEqual(['First.', 'Second.']));
  expect(kernel.upstream.requests).toHaveLength(2);
  expect(await saidIn(world)).toEqual(['One.', 'Two.']);
});

test('an edit of a message that was answered is told to the model with what stood there before', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  world.start();
  const { message_id } = api.write(ANN, { text: 'How far is Mars?' });
  await world.hears('ok');
  kernel.upstream.next(says('Closer.'));
  api.edit(ANN, message_id, { text: 'How far is Venus?' });
  await world.hears('Closer.');
  const [chat] = (await kernel.client.listChats({ shelf: 'telegram' })).chats;
  const items = await kernel.api.items(chat!.id);
  expect(items.filter(({ kind }) => kind === 'user_message')).toMatchObject([
    { text: 'How far is Mars?' },
    {
      text: '[A message from before was edited, and says now:]\nHow far is Venus?',
      quote: { ext_id: String(message_id), text: 'How far is Mars?' },
    },
  ]);
  // The same words once more are no edit; other words than the last ones are.
  api.edit(ANN, message_id, { text: 'How far is Venus?' });
  kernel.upstream.next(says('Further.'));
  api.edit(ANN, message_id, { text: 'How far is Pluto?' });
  await world.hears('Further.');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(3);
});

test('an edit behind which another message waits takes nothing away', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  world.start();
  const gate = held({ text: 'First.' });
  kernel.upstream.next(gate.reply, says('Second.'), says('Third.'), says('Fourth.'));
  api.write(ANN, { text: 'One.' });
  await eventually(() => expect(kernel.upstream.requests).toHaveLength(1));
  const { message_id } = api.write(ANN, { text: 'Two.' });
  api.write(ANN, { text: 'Three.' });
  api.edit(ANN, message_id, { text: 'Too.' });
  const edited = '[A message from before was edited, and says now:]\nToo.';
  await eventually(async () => expect(await saidIn(world)).toEqual(['One.', 'Two.', 'Three.', edited]));
  gate.go();
  await eventually(() => expect(world.said()).toEqual(['First.', 'Second.', 'Third.', 'Fourth.']));
});

test('commands, messages of before, and what is not known are not edited into turns', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  world.start();
  const command = api.write(ANN, { text: '/help' });
  const { message_id } = api.write(ANN, { text: 'Hi.' });
  await world.hears('ok');
  api.edit(ANN, command.message_id, { text: 'help' });
  api.edit(ANN, message_id, { text: '/new' });
  api.edit(ANN, 9999, { text: 'From last year.' });
  api.write(ANN, { text: 'And?' });
  await eventually(() => expect(world.said().filter(text => text === 'ok')).toHaveLength(2));
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(2);
});

test('killed before it heard the 200 of the kernel, an edit runs once', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  const first = world.start();
  const { message_id } = api.write(ANN, { text: 'One.' });
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  world.line.hears = false;
  api.edit(ANN, message_id, { text: 'Two.' });
  await eventually(() => expect(world.line.lost).toBe(1));
  await kill(first);
  world.line.hears = true;
  world.start();
  await eventually(() => expect(world.said()).toEqual(['ok', 'ok']));
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(2);
});

test('killed after it took a waiting message out, and before it heard that the new one is there, it has one of them', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  const first = world.start();
  const gate = held({ text: 'First.' });
  kernel.upstream.next(gate.reply, says('Second.'));
  api.write(ANN, { text: 'One.' });
  await eventually(() => expect(kernel.upstream.requests).toHaveLength(1));
  const { message_id } = api.write(ANN, { text: 'Tow.' });
  await eventually(async () => expect(await saidIn(world)).toEqual(['One.', 'Tow.']));
  await eventually(() => expect(api.unconfirmed).toBe(0));
  world.line.hears = false;
  api.edit(ANN, message_id, { text: 'Two.' });
  await eventually(async () => expect(await saidIn(world)).toEqual(['One.', 'Two.']));
  await kill(first);
  world.line.hears = true;
  world.start();
  gate.go();
  await eventually(() =>
    expect(world.said().filter(text => !text.includes('Stopped'))).toEqual(['First.', 'Second.']),
  );
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(2);
  expect(await saidIn(world)).toEqual(['One.', 'Two.']);
});
