/** Tests that the test client with hands detects violations. Otherwise the tests that use it prove nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './client.ts';
import { temporaryDirectory } from './directory.ts';
import { type PlayedKernel, playKernel } from './hands/played-kernel.ts';
import { HandsClient, type HandsOptions } from './hands.ts';
import { startKernel, type TestKernel } from './kernel.ts';

const CHAT = '01890000-0000-7000-8000-000000000000';
const DECISIONS = ['allow', 'allow_once_a_week', 'deny'];

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
  // The server below is checked against the document of this kernel.
  await kernel.api.document();
});
afterAll(() => kernel.stop());

let directory: ReturnType<typeof temporaryDirectory>;
let wire: PlayedKernel;
beforeEach(async () => {
  directory = temporaryDirectory();
  wire = await playKernel();
});
afterEach(() => {
  wire.close();
  directory.remove();
});

const handsOf = (options: Partial<HandsOptions> = {}) =>
  new HandsClient(new ApiClient(wire.url), { directory: directory.path, ...options });

const op = (id: string, fields: object) => ({ type: 'client_op', id, op_id: id, ...fields });
const write = (id: string, more: object = {}) =>
  op(id, { action: 'write', path: id, content: 'x', decisions: DECISIONS, ...more });
const written = (id: string) => existsSync(join(directory.path, id));

/** Lets a client with hands read a stream of these events to its end. */
async function afterEvents(hands: HandsClient, ...events: object[]): Promise<void> {
  const following = await hands.watch(CHAT);
  wire.send(...events);
  wire.end();
  await following.over;
}

test('executes and answers an allowed operation, with the decision if it was offered', async () => {
  const hands = handsOf();
  await afterEvents(hands, write('a', { agent: 'Scout' }), write('b', { decisions: undefined }));
  const params = (path: string) => ({ path, content: 'x' });
  expect(hands.done).toEqual([
    {
      op_id: 'a',
      action: 'write',
      params: params('a'),
      decisions: DECISIONS,
      agent: 'Scout',
      decision: 'allow',
      status: 200,
    },
    { op_id: 'b', action: 'write', params: params('b'), status: 200 },
  ]);
  expect(wire.posted).toEqual(
    expect.arrayContaining([
      { id: 'a', result: 'written', decision: 'allow' },
      { id: 'b', result: 'written' },
    ]),
  );
  expect(written('a') && written('b')).toBe(true);
});

test('does not send a decision that was not offered', async () => {
  await afterEvents(handsOf({ decide: () => 'allow_always' }), write('a'));
  expect(wire.posted).toEqual([{ id: 'a', result: 'written' }]);
});

test.each([
  ['denied', 'deny', [{ id: 'a', decision: 'deny' }]],
  ['not possible', { error: 'No disk.' }, [{ id: 'a', error: 'No disk.' }]],
  ['left alone', 'ignore', []],
] as const)('does not execute what is %s', async (_, choice, posted) => {
  const hands = handsOf({ decide: () => choice });
  await afterEvents(hands, write('a'));
  expect(wire.posted).toEqual(posted);
  expect(hands.done).toEqual([]);
  expect(written('a')).toBe(false);
});

test('cannot deny an operation without a dialog', async () => {
  await afterEvents(handsOf({ decide: () => 'deny' }), op('l', { action: 'list_up', path: '/', names: [] }));
  expect(wire.posted).toEqual([{ id: 'l', result: { dirs: [{ dir: '/', found: [] }] } }]);
});

test('answers an unknown operation with an error, without asking', async () => {
  const decide = () => {
    throw new Error('asked');
  };
  await afterEvents(handsOf({ knows: ['read'], decide }), write('a'));
  expect(wire.posted).toEqual([{ id: 'a', error: 'unknown op action' }]);
});

test('does not execute replays and operations of another client', async () => {
  const others = [write('a', { replayed: true }), write('b', { client_id: 'other' })];
  await afterEvents(handsOf({ client_id: 'own' }), ...others, write('c', { client_id: 'own' }), write('d'));
  expect(wire.posted.map(({ id }) => id).sort()).toEqual(['c', 'd']);
});

test.each([
  ['comes twice', [write('a'), write('a')], 'twice'],
  ['has two ids', [write('a', { op_id: 'b' })], 'two ids'],
  ['lacks a parameter', [op('a', { action: 'write', path: 'a' })], 'content'],
  ['cannot be denied', [write('a', { decisions: ['allow'] })], 'denied'],
])('fails at an operation that %s, and closes the stream', async (what, events, words) => {
  const decide = () => (what === 'cannot be denied' ? 'deny' : 'allow');
  const following = await handsOf({ decide }).watch(CHAT);
  wire.send(...events);
  await expect(following.over).rejects.toThrow(words);
});

test('fails at a turn that does not end with done', async () => {
  const hands = handsOf({ client_id: 'own' });
  const { stream, over } = await hands.begin(CHAT, { text: 'Go.' });
  wire.end();
  await over;
  await expect(stream.all()).rejects.toThrow('done');
  expect(wire.started).toEqual([{ text: 'Go.', client_ops: true, client_id: 'own' }]);
});

test('runs a turn without operations on both terminals', async () => {
  const chat = await kernel.api.newChat();
  const [own, other] = ['own', 'other'].map(
    client_id => new HandsClient(kernel.api, { directory: directory.path, client_id }),
  ) as [HandsClient, HandsClient];
  const watching = await other.watch(chat.id);
  const events = await own.turn(chat.id, { text: 'Hi.' });
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  await watching.stream.until('done');
  expect((await watching.leave()).at(-1)).toMatchObject({ type: 'done' });
});
