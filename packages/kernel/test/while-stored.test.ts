/** A turn begins while its message is being stored: its model is asked, and nobody hears of it before. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allOf, type Core, calls, LOST, openCore, says, tool, until } from './core.ts';

let core: Core;
let asked: number;
let noted: number;
/** Lets the message be stored, or not. */
let storing: PromiseWithResolvers<void>;
const tools = [
  tool('note', async () => {
    noted++;
    return { output: 'noted' };
  }),
];

beforeEach(async () => {
  core = await openCore({ tools });
  asked = 0;
  noted = 0;
  storing = Promise.withResolvers<void>();
  core.before.createTurn = () => storing.promise;
});
afterEach(async () => {
  storing.resolve();
  await core.close();
});

const newChat = async () => (await core.kernel.chats.create({})).id;
const start = (chat: string, text = 'Go.') => core.kernel.turns.start(chat, { text, on_busy: 'queue' });
const answers = (script: Core['scripts'][number]): void => {
  core.scripts.push(request => {
    asked++;
    return script(request);
  });
};
/** Lets everything happen that needs no disk. */
const pause = () => new Promise(resolve => setTimeout(resolve, 50));

it('the model is asked before the message is on the disk; whoever follows hears of it afterwards', async () => {
  const chat = await newChat();
  answers(says('Hello.'));
  const follower = (await core.kernel.turns.live(chat, { mute: new Set(), follow: true }))!;
  let acknowledged = false;
  const started = start(chat).finally(() => {
    acknowledged = true;
  });
  await until(() => asked === 1);
  await pause();
  expect([acknowledged, follower.take()]).toEqual([false, '']);
  storing.resolve();
  const events = await allOf((await started).feed);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(follower.take()).toContain('"text":"Hello."');
  follower.stop();
});

it('no call of the answer runs before the message is on the disk', async () => {
  const chat = await newChat();
  answers(calls('note'));
  const started = start(chat);
  await until(() => asked === 1);
  await pause();
  expect(noted).toBe(0);
  storing.resolve();
  await allOf((await started).feed);
  expect(noted).toBe(1);
});

it('a message that could not be stored leaves nothing: no turn, no event, no word for those who follow', async () => {
  const chat = await newChat();
  answers(says('Never told.'));
  const follower = (await core.kernel.turns.live(chat, { mute: new Set(), follow: true }))!;
  const started = start(chat);
  await until(() => asked === 1);
  storing.reject(new Error('database or disk is full'));
  await expect(started).rejects.toThrow('database or disk is full');
  await until(async () => (await core.kernel.chats.get(chat)).turn === null);
  expect(follower.take()).toBe('');
  expect((await core.kernel.history.items(chat, { limit: 50 })).items).toEqual([]);
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 0 });
  expect(core.logged).toEqual([]);
  // The next one is as if it were the first.
  delete core.before.createTurn;
  answers(says('Told.'));
  await allOf((await start(chat, 'Again.')).feed);
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items).toMatchObject([{ text: 'Again.' }, { text: 'Told.' }]);
  expect(follower.take()).toContain('"text":"Told."');
  expect(follower.take()).not.toContain('Never');
  follower.stop();
});

it('a turn that is cancelled while its message is being stored ends as cancelled, and is kept', async () => {
  const chat = await newChat();
  answers(async function* () {
    yield* says('Too late.')();
    await storing.promise;
  });
  const started = start(chat);
  await until(() => asked === 1);
  const cancelled = core.kernel.turns.cancel(chat, { queued: false });
  await pause();
  storing.resolve();
  expect(await cancelled).toMatchObject({ cancelled: true });
  const events = await allOf((await started).feed);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items[0]).toMatchObject({ kind: 'user_message', text: 'Go.' });
});

it('a message that waits is not begun before it is stored', async () => {
  const chat = await newChat();
  storing.resolve();
  const gate = Promise.withResolvers<void>();
  answers(async function* () {
    await gate.promise;
    yield* says('one')();
  });
  await start(chat, '1');
  storing = Promise.withResolvers<void>();
  answers(says('two'));
  const second = start(chat, '2');
  gate.resolve();
  await pause();
  expect(asked).toBe(1);
  storing.resolve();
  expect((await allOf((await second).feed)).at(-1)).toMatchObject({ status: 'completed' });
  expect(asked).toBe(2);
});

it('whoever begins to follow while the message is being stored hears of the turn from its beginning', async () => {
  const chat = await newChat();
  answers(says('Hello.'));
  const started = start(chat);
  await until(() => asked === 1);
  const follower = (await core.kernel.turns.live(chat, { mute: new Set(), follow: true }))!;
  expect(follower.take()).toBe('');
  storing.resolve();
  await allOf((await started).feed);
  const told = follower.take();
  expect(told).toContain('"text":"Hello."');
  expect(told).toContain('"type":"done"');
  expect(told).not.toContain('"replayed":true');
  follower.stop();
});

it('a message that came right behind one that could not be stored is asked with its own words', async () => {
  const chat = await newChat();
  const heard: unknown[] = [];
  const listen: Core['scripts'][number] = request => {
    heard.push(request.messages.map(({ content }) => content.map(block => 'text' in block && block.text)));
    return says('ok')();
  };
  answers(listen);
  answers(listen);
  const lost = start(chat, 'Lost.');
  const kept = start(chat, 'Kept.');
  await until(() => asked === 1);
  core.before.createTurn = () => {};
  storing.reject(new Error('database or disk is full'));
  await expect(lost).rejects.toThrow('database or disk is full');
  expect((await allOf((await kept).feed)).at(-1)).toMatchObject({ status: 'completed' });
  expect(heard).toEqual([[['Lost.']], [['Kept.']]]);
});

it('a message whose storing only seemed to fail leaves no turn that runs', async () => {
  const chat = await newChat();
  core.before.createTurn = () => LOST;
  answers(says('Never told.'));
  await expect(start(chat)).rejects.toThrow('the connection broke');
  expect(await core.store.turns.listUnfinished()).toEqual([]);
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items).toMatchObject([{ kind: 'user_message', text: 'Go.' }, { kind: 'machine_note' }]);
});

it('[SAFE-5] a message that is to wait, and whose storing only seemed to fail, waits and is answered', async () => {
  const chat = await newChat();
  storing.resolve();
  const gate = Promise.withResolvers<void>();
  answers(async function* () {
    await gate.promise;
    yield* says('one')();
  });
  await start(chat, '1');
  core.before.createTurn = () => LOST;
  // The database does not say either whether the message is there.
  let isAway = true;
  core.before.getTurn = () => {
    if (isAway) throw new Error('the connection broke');
  };
  await expect(start(chat, '2')).rejects.toThrow('the connection broke');
  // Nothing else comes before that is known.
  await expect(start(chat, '3')).rejects.toThrow('the connection broke');
  answers(says('two'));
  gate.resolve();
  await until(async () => (await core.kernel.chats.get(chat)).turn === null);
  expect((await core.store.turns.listUnfinished()).map(({ status }) => status)).toEqual(['queued']);
  isAway = false;
  delete core.before.createTurn;
  await until(async () => {
    core.clock.advance(1000);
    return (await core.store.turns.listUnfinished()).length === 0;
  });
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items.map(item => 'text' in item && item.text)).toEqual(['1', 'one', '2', 'two']);
});

it('[TURN-12] whoever repeats a message whose storing only seemed to fail gets the turn that waits with it', async () => {
  const chat = await newChat();
  storing.resolve();
  const gate = Promise.withResolvers<void>();
  answers(async function* () {
    await gate.promise;
    yield* says('one')();
  });
  await start(chat, '1');
  core.before.createTurn = () => LOST;
  const send = () =>
    core.kernel.turns.start(chat, { text: '2', on_busy: 'queue' }, { idempotencyKey: 'again' });
  await expect(send()).rejects.toThrow('the connection broke');
  const again = await send();
  expect(again.repeated).toBe(true);
  answers(says('two'));
  gate.resolve();
  const told = (await allOf(again.feed)).map(({ type }) => type);
  expect(told[0]).toBe('queued');
  expect(told.at(-1)).toBe('done');
  expect(await core.store.turns.listUnfinished()).toEqual([]);
});
