/** Tests that nothing of a turn begins or is shown before its message is stored. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allOf, type Core, LOST, openCore, says, until } from './core.ts';

let core: Core;
let asked: number;
/** Lets the message be stored, or not. */
let storing: PromiseWithResolvers<void>;

beforeEach(async () => {
  core = await openCore();
  asked = 0;
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
/** Runs everything that needs no disk. */
const pause = () => new Promise(resolve => setTimeout(resolve, 50));

it('asks no model and sends nothing before the message is stored', async () => {
  const chat = await newChat();
  answers(says('Hello.'));
  const follower = (await core.kernel.turns.live(chat, { mute: new Set(), follow: true }))!;
  let acknowledged = false;
  const started = start(chat).finally(() => {
    acknowledged = true;
  });
  await pause();
  expect([asked, acknowledged, follower.take()]).toEqual([0, false, '']);
  storing.resolve();
  const events = await allOf((await started).feed);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(follower.take()).toContain('"text":"Hello."');
  follower.stop();
});

it('leaves no turn and no event of a message that could not be stored', async () => {
  const chat = await newChat();
  const follower = (await core.kernel.turns.live(chat, { mute: new Set(), follow: true }))!;
  const started = start(chat);
  storing.reject(new Error('database or disk is full'));
  await expect(started).rejects.toThrow('database or disk is full');
  await until(async () => (await core.kernel.chats.get(chat)).turn === null);
  expect(follower.take()).toBe('');
  expect((await core.kernel.history.items(chat, { limit: 50 })).items).toEqual([]);
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 0 });
  expect(core.logged).toEqual([]);
  // The next one behaves like the first.
  delete core.before.createTurn;
  answers(says('Told.'));
  await allOf((await start(chat, 'Again.')).feed);
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items).toMatchObject([{ text: 'Again.' }, { text: 'Told.' }]);
  expect(follower.take()).toContain('"text":"Told."');
  follower.stop();
});

it('does not start a queued message before it is stored', async () => {
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

it('sends a turn from its start to a follower that joins while its message is being stored', async () => {
  const chat = await newChat();
  answers(says('Hello.'));
  const started = start(chat);
  await pause();
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

it('sends the text of a message that directly follows a failed one', async () => {
  const chat = await newChat();
  const heard: unknown[] = [];
  const listen: Core['scripts'][number] = request => {
    heard.push(request.messages.map(({ content }) => content.map(block => 'text' in block && block.text)));
    return says('ok')();
  };
  answers(listen);
  const lost = start(chat, 'Lost.');
  const kept = start(chat, 'Kept.');
  await pause();
  core.before.createTurn = () => {};
  storing.reject(new Error('database or disk is full'));
  await expect(lost).rejects.toThrow('database or disk is full');
  expect((await allOf((await kept).feed)).at(-1)).toMatchObject({ status: 'completed' });
  expect(heard).toEqual([[['Kept.']]]);
});

it('leaves no running turn of a message whose write only seemed to fail', async () => {
  const chat = await newChat();
  core.before.createTurn = () => LOST;
  answers(says('Never told.'));
  await expect(start(chat)).rejects.toThrow('the connection broke');
  expect(await core.store.turns.listUnfinished()).toEqual([]);
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items).toMatchObject([{ kind: 'user_message', text: 'Go.' }, { kind: 'machine_note' }]);
});

it('[SAFE-5] queues and answers a message whose write only seemed to fail', async () => {
  const chat = await newChat();
  storing.resolve();
  const gate = Promise.withResolvers<void>();
  answers(async function* () {
    await gate.promise;
    yield* says('one')();
  });
  await start(chat, '1');
  core.before.createTurn = () => LOST;
  // The database does not report whether the message exists.
  let isAway = true;
  core.before.getTurn = () => {
    if (isAway) throw new Error('the connection broke');
  };
  await expect(start(chat, '2')).rejects.toThrow('the connection broke');
  // No other message is accepted until that is known.
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

it('[TURN-12] returns the queued turn to a repeated message whose write only seemed to fail', async () => {
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
