/** Tests that the test client with hands detects violations. Otherwise the tests that use it prove nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { besidePlayedKernel, CHAT, DECISIONS, op } from './hands/beside-played-kernel.ts';
import { HandsClient } from './hands.ts';

const { at, handsOf } = besidePlayedKernel();
const write = (id: string, more: object = {}) =>
  op(id, { action: 'write', path: id, content: 'x', decisions: DECISIONS, ...more });
const written = (id: string) => existsSync(join(at.directory, id));

/** Lets a client with hands read a stream of these events to its end. */
async function afterEvents(hands: HandsClient, ...events: object[]): Promise<void> {
  const following = await hands.watch(CHAT);
  at.wire.send(...events);
  at.wire.end();
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
  expect(at.wire.posted).toEqual(
    expect.arrayContaining([
      { id: 'a', result: 'written', decision: 'allow' },
      { id: 'b', result: 'written' },
    ]),
  );
  expect(written('a') && written('b')).toBe(true);
});

test('does not send a decision that was not offered', async () => {
  await afterEvents(handsOf({ decide: () => 'allow_always' }), write('a'));
  expect(at.wire.posted).toEqual([{ id: 'a', result: 'written' }]);
});

test.each([
  ['denied', 'deny', [{ id: 'a', decision: 'deny' }]],
  ['not possible', { error: 'No disk.' }, [{ id: 'a', error: 'No disk.' }]],
  ['left alone', 'ignore', []],
] as const)('does not execute what is %s', async (_, choice, posted) => {
  const hands = handsOf({ decide: () => choice });
  await afterEvents(hands, write('a'));
  expect(at.wire.posted).toEqual(posted);
  expect(hands.done).toEqual([]);
  expect(written('a')).toBe(false);
});

test('cannot deny an operation without a dialog', async () => {
  await afterEvents(handsOf({ decide: () => 'deny' }), op('l', { action: 'list_up', path: '/', names: [] }));
  expect(at.wire.posted).toEqual([{ id: 'l', result: { dirs: [{ dir: '/', found: [] }] } }]);
});

test('answers an unknown operation with an error, without asking', async () => {
  const decide = () => {
    throw new Error('asked');
  };
  await afterEvents(handsOf({ knows: ['read'], decide }), write('a'));
  expect(at.wire.posted).toEqual([{ id: 'a', error: 'unknown op action' }]);
});

test('does not execute replays and operations of another client', async () => {
  const others = [write('a', { replayed: true }), write('b', { client_id: 'other' })];
  await afterEvents(handsOf({ client_id: 'own' }), ...others, write('c', { client_id: 'own' }), write('d'));
  expect(at.wire.posted.map(({ id }) => id).sort()).toEqual(['c', 'd']);
});

test.each([
  ['comes twice', [write('a'), write('a')], 'twice'],
  ['has two ids', [write('a', { op_id: 'b' })], 'two ids'],
  ['lacks a parameter', [op('a', { action: 'write', path: 'a' })], 'content'],
  ['cannot be denied', [write('a', { decisions: ['allow'] })], 'denied'],
])('fails at an operation that %s, and closes the stream', async (what, events, words) => {
  const decide = () => (what === 'cannot be denied' ? 'deny' : 'allow');
  const following = await handsOf({ decide }).watch(CHAT);
  at.wire.send(...events);
  await expect(following.over).rejects.toThrow(words);
});

test('fails at a turn that does not end with done', async () => {
  const hands = handsOf({ client_id: 'own' });
  const { stream, over } = await hands.begin(CHAT, { text: 'Go.' });
  at.wire.end();
  await over;
  await expect(stream.all()).rejects.toThrow('done');
  expect(at.wire.started).toEqual([{ text: 'Go.', client_ops: true, client_id: 'own' }]);
});

test('runs a turn without operations on both terminals', async () => {
  const chat = await at.kernel.api.newChat();
  const [own, other] = ['own', 'other'].map(
    client_id => new HandsClient(at.kernel.api, { directory: at.directory, client_id }),
  ) as [HandsClient, HandsClient];
  const watching = await other.watch(chat.id);
  const events = await own.turn(chat.id, { text: 'Hi.' });
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  await watching.stream.until('done');
  expect((await watching.leave()).at(-1)).toMatchObject({ type: 'done' });
});
