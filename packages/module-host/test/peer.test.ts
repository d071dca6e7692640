/** Tests the kernel's end of a connection against a peer that follows no rules. */
import { PassThrough } from 'node:stream';
import { PeerDisconnectedError, RpcError, TimedOut } from '@chat-kernel/json-rpc';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Peer } from '../src/session/peer.ts';

const ANSWERS = new Map<string, () => Promise<object>>([
  ['good', async () => ({ well: true })],
  ['known', () => Promise.reject(new RpcError(-32602, 'n: expected a number'))],
  ['broken', () => Promise.reject(new TypeError('legs of undefined'))],
]);

function connected() {
  const readable = new PassThrough();
  const writable = new PassThrough();
  const clock = new ManualClock();
  const notified: unknown[] = [];
  const unread: string[] = [];
  const peer = new Peer({
    streams: { readable, writable },
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    name: 'parrot',
    onNotification: (method, params) => void notified.push([method, params]),
    onRequest: method => ANSWERS.get(method)?.(),
    onUnread: shape => void unread.push(shape),
  });
  /** Returns the messages that the peer has sent since the last call. */
  const sent = () => {
    const chunks: string[] = [];
    for (let chunk = writable.read(); chunk !== null; chunk = writable.read()) chunks.push(String(chunk));
    return chunks
      .join('')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  };
  const say = async (...lines: unknown[]) => {
    for (const line of lines) readable.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    await new Promise(setImmediate);
  };
  return { peer, readable, clock, notified, unread, sent, say };
}

test('[MOD-1] sends a call as one line, and settles it by its answer, in any order', async () => {
  const { peer, sent, say } = connected();
  const first = peer.call('a', { n: 1 }, 1000);
  const second = peer.call('b', {}, 1000);
  expect(sent()).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'a', params: { n: 1 } },
    { jsonrpc: '2.0', id: 2, method: 'b', params: {} },
  ]);
  const refused = expect(second).rejects.toEqual(new RpcError(-32602, 'no'));
  await say(
    { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'no' } },
    { jsonrpc: '2.0', id: 1, result: null },
  );
  expect(await first).toBeNull();
  await refused;
});

test('answers a malformed message with an error, and ignores a malformed response', async () => {
  const { sent, say, notified, unread } = connected();
  await say('{', [], { jsonrpc: '1.0', method: 'x' }, { jsonrpc: '2.0', id: 7, method: 'steal' });
  expect(sent().map(({ id, error }) => [id, error.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [7, -32601],
  ]);
  await say({ jsonrpc: '2.0', id: 9, result: 1 }, { jsonrpc: '2.0', id: 'x', result: 1 }, { jsonrpc: '2.0' });
  expect(sent()).toEqual([]);
  await say({ jsonrpc: '2.0', method: 'log', params: { a: 'b\u2028c' } });
  expect(notified).toEqual([['log', { a: 'b\u2028c' }]]);
  expect(unread).toEqual(Array(5).fill('line'));
});

test('sends few errors per second for malformed messages', async () => {
  const { sent, say, clock } = connected();
  await say(...Array.from({ length: 100 }, () => '{'));
  expect(sent()).toHaveLength(5);
  clock.advance(1000);
  await say('{');
  expect(sent()).toHaveLength(1);
});

test('ends an unanswered call once, after its timeout', async () => {
  const { peer, clock, say } = connected();
  const call = peer.call('a', {}, 1000);
  clock.advance(1000);
  await expect(call).rejects.toBeInstanceOf(TimedOut);
  await say({ jsonrpc: '2.0', id: 1, result: 'late' });
  expect(clock.timers.size).toBe(0);
});

test('fails every open call when the stream ends, and later calls immediately', async () => {
  const { peer, readable, clock } = connected();
  const calls = [peer.call('a', {}, 1000), peer.call('b', {}, 1000)];
  readable.end();
  for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
    expect(reason).toBeInstanceOf(PeerDisconnectedError);
  }
  await expect(peer.call('c', {}, 1000)).rejects.toBeInstanceOf(PeerDisconnectedError);
  expect(await peer.ended).toEqual({ reason: 'the connection ended', left: true });
  expect(clock.timers.size).toBe(0);
});

test('waits for its open calls when it retires', async () => {
  const { peer, say } = connected();
  const call = peer.call('a', {}, 1000);
  peer.retire('replaced');
  await say({ jsonrpc: '2.0', id: 1, result: 'last' });
  expect(await call).toBe('last');
  expect(await peer.ended).toEqual({ reason: 'replaced', left: false });
});

test('pauses reading for the rest of the second after too many notifications', async () => {
  const { say, notified, clock, readable } = connected();
  const line = { jsonrpc: '2.0', method: 'log', params: {} };
  await say(...Array.from({ length: 3000 }, () => line));
  await say(line);
  const heard = notified.length;
  expect(heard).toBeGreaterThan(1900);
  expect(heard).toBeLessThan(3001);
  expect(readable.isPaused()).toBe(true);
  clock.advance(1000);
  await new Promise(setImmediate);
  expect(notified.length).toBeGreaterThan(heard);
});

test('answers requests of the module with their ids, and hides internal errors', async () => {
  const { sent, say } = connected();
  await say(
    ...['good', 'known', 'broken', 'toString'].map(method => ({ jsonrpc: '2.0', id: method, method })),
  );
  expect(sent()).toEqual([
    { jsonrpc: '2.0', id: 'toString', error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: 'good', result: { well: true } },
    { jsonrpc: '2.0', id: 'known', error: { code: -32602, message: 'n: expected a number' } },
    { jsonrpc: '2.0', id: 'broken', error: { code: -32603, message: 'Internal error' } },
  ]);
});
