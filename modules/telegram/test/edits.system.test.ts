/** Tests messages that are edited after they were sent. */
import { expect, test } from 'vitest';
import { held, says } from '../../../test/harness/story.ts';
import { ANN, eventually, kill, worldOf } from './bot.ts';

/** The texts of users in the one chat, and what they quote. */
async function saidIn({ kernel }: Awaited<ReturnType<typeof worldOf>>) {
  const [chat] = (await kernel.client.listChats({ shelf: 'telegram' })).chats;
  const items = await kernel.api.items(chat!.id);
  return items.flatMap(item => (item.kind === 'user_message' ? [item.text] : []));
}

test('replaces a queued message with its edit, without a notice', async () => {
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

test('sends the edit of an answered message to the model with the old text', async () => {
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
      text: '[An earlier message was edited. The new text:]\nHow far is Venus?',
      quote: { ext_id: String(message_id), text: 'How far is Mars?' },
    },
  ]);
  // The same text again is not an edit; a different text is.
  api.edit(ANN, message_id, { text: 'How far is Venus?' });
  kernel.upstream.next(says('Further.'));
  api.edit(ANN, message_id, { text: 'How far is Pluto?' });
  await world.hears('Further.');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(3);
});

test('removes nothing if another message is queued behind the edited one', async () => {
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
  const edited = '[An earlier message was edited. The new text:]\nToo.';
  await eventually(async () => expect(await saidIn(world)).toEqual(['One.', 'Two.', 'Three.', edited]));
  gate.go();
  await eventually(() => expect(world.said()).toEqual(['First.', 'Second.', 'Third.', 'Fourth.']));
});

test('starts no turn for edits of commands, old messages and unknown messages', async () => {
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

test('runs an edit once after a kill before the 200 of the kernel', async () => {
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

test('keeps exactly one message after a kill in the middle of replacing a queued one', async () => {
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
