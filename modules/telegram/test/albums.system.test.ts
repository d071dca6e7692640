/** Tests that an album becomes one message exactly once, also after a kill of the module. */
import { expect, test } from 'vitest';
import { ANN, BOB, eventually, GROUP, kill, killedBeforeItConfirms, worldOf } from './bot.ts';

const JPEG = 'ffd8ffe000104a46494600010100000100010000ffd9';
type World = Awaited<ReturnType<typeof worldOf>>;

/** Part number `n` of an album, with its own photo. */
function part({ api }: World, n: number, more: object = {}, from = ANN, chat?: object) {
  const file_id = `photo${n}`;
  api.files.set(file_id, Buffer.from(JPEG, 'hex'));
  const photo = [{ file_id, file_unique_id: `u${n}`, width: 1, height: 1 }];
  const said = { media_group_id: 'album', photo, ...more };
  return chat ? api.write(from, said, { ...chat }) : api.write(from, said);
}

/** The messages of users in the one chat. */
async function saidIn({ kernel }: World) {
  const { chats } = await kernel.client.listChats({ shelf: 'telegram' });
  expect(chats).toHaveLength(1);
  return (await kernel.api.items(chats[0]!.id)).filter(({ kind }) => kind === 'user_message');
}

const IMAGE = { kind: 'image', media_type: 'image/jpeg' };

test('joins the photos of an album into one message and keeps messages in between', async () => {
  const world = await worldOf({ people: [BOB.id] });
  const { api, kernel } = world;
  part(world, 1);
  api.write(BOB, { text: 'Hi.' });
  part(world, 2, { caption: 'Which is better?' });
  part(world, 3);
  world.start();
  await world.hears('ok');
  await world.hears('ok', BOB.id);
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.requests).toHaveLength(2);
  const { chats } = await kernel.client.listChats({ shelf: 'telegram' });
  const own = chats.find(({ title }) => title === 'Ann on Telegram');
  const items = await kernel.api.items(own!.id);
  expect(items[0]).toMatchObject({ text: 'Which is better?', attachments: [IMAGE, IMAGE, IMAGE] });
  expect(items.filter(({ kind }) => kind === 'user_message')).toHaveLength(1);
});

test('waits for late album parts before it confirms any of them', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  world.start();
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(1));
  const gate = Promise.withResolvers<void>();
  api.fault({ method: 'getUpdates', how: 'before', until: gate.promise });
  const { update_id } = part(world, 1, { caption: 'Both.' });
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(2));
  part(world, 2);
  gate.resolve();
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(await saidIn(world)).toMatchObject([{ text: 'Both.', attachments: [IMAGE, IMAGE] }]);
  expect(kernel.upstream.requests).toHaveLength(1);
  const offsets = api.of('getUpdates').map(({ offset }) => offset);
  expect(offsets.filter(offset => offset !== undefined)[0]).toBe(update_id + 2);
});

test('joins all parts of an album after a kill between them', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  const first = world.start();
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(1));
  api.fault({ method: 'getUpdates', how: 'hang' });
  part(world, 1, { caption: 'Both.' });
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(2));
  await kill(first);
  expect(kernel.upstream.requests).toHaveLength(0);
  part(world, 2);
  world.start();
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(await saidIn(world)).toMatchObject([{ text: 'Both.', attachments: [IMAGE, IMAGE] }]);
  expect(kernel.upstream.requests).toHaveLength(1);
});

test('runs an album once after a kill before the 200 of the kernel', async () => {
  const world = await worldOf();
  const { api, kernel } = world;
  world.line.hears = false;
  part(world, 1, { caption: 'Both.' });
  part(world, 2);
  const first = world.start();
  await eventually(() => expect(world.line.lost).toBe(1));
  await kill(first);
  expect(world.noted()).toEqual([]);
  expect(api.unconfirmed).toBe(2);
  world.line.hears = true;
  world.start();
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(world.noted()).toHaveLength(2);
  expect(world.said()).toEqual(['ok']);
  expect(kernel.upstream.requests).toHaveLength(1);
  expect(api.of('getFile')).toHaveLength(2);
});

test('runs an album once after a kill between the 200 of the kernel and the confirming poll', async () => {
  const world = await worldOf();
  const { api } = world;
  part(world, 1);
  part(world, 2);
  // The polls that return the parts and look for more succeed; the poll that would confirm them fails.
  for (let count = 0; count < 2; count++)
    api.fault({ method: 'getUpdates', how: 'before', until: Promise.resolve() });
  for (let count = 0; count < 3; count++) api.fault({ method: 'getUpdates', how: 'hang' });
  const first = world.start();
  await eventually(() => expect(world.outbox()).toEqual(['sent']));
  expect(api.unconfirmed).toBe(2);
  await killedBeforeItConfirms(world, first);
});

test('answers a whole album in a group if one part mentions the bot', async () => {
  const world = await worldOf();
  const entities = [{ type: 'mention', offset: 0, length: 11 }];
  part(world, 1, {}, BOB, GROUP);
  part(world, 2, { caption: '@kernel_bot look', caption_entities: entities }, BOB, GROUP);
  world.start();
  await world.hears('ok', GROUP.id);
  expect(await saidIn(world)).toMatchObject([
    { text: '@kernel_bot look', sender: 'Bob', attachments: [IMAGE, IMAGE] },
  ]);
});
