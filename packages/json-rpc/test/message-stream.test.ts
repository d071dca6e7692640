/** Tests messages over byte streams, up to the end of the connection. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Message, MessageStream, notificationLine, PendingCalls, TimedOut } from '../src/index.ts';

function opened(maxLineBytes = 1000) {
  const readable = new PassThrough();
  const writable = new PassThrough();
  const received: Message[] = [];
  const ends: unknown[] = [];
  const stream: MessageStream = new MessageStream({
    streams: { readable, writable },
    maxLineBytes,
    onMessage(message) {
      received.push(message);
      if (message.kind === 'notification' && message.method === 'bye') stream.close('it said bye');
    },
    onLineTooLong: () => stream.close('its line is too long'),
    onEnd: end => ends.push(end),
  });
  return { stream, readable, writable, received, ends };
}
const settled = () => new Promise(setImmediate);

test('ignores the lines after one that closes the stream', async () => {
  const { readable, received, ends } = opened();
  readable.write(notificationLine('bye', {}) + notificationLine('again', {}));
  await settled();
  expect(received).toHaveLength(1);
  expect(ends).toEqual([{ reason: 'it said bye', left: false }]);
});

test('ends the stream once for a line that is too long', async () => {
  const { readable, received, ends } = opened(10);
  readable.write('x'.repeat(100));
  await settled();
  expect(received).toEqual([]);
  expect(ends).toEqual([{ reason: 'its line is too long', left: false }]);
});

test('ends the stream at the end of the input, and sends nothing after it', async () => {
  const { stream, readable, writable, ends } = opened();
  readable.end();
  await settled();
  expect(ends).toEqual([{ reason: 'the connection ended', left: true }]);
  stream.send('late\n');
  await stream.flush();
  expect(writable.read()).toBeNull();
});

test('ends a call once, on its response, its timeout or its signal', async () => {
  const calls = new PendingCalls();
  const answered = calls.begin(() => {});
  expect(calls.settle(1, { result: 'yes' })).toBe(true);
  expect(calls.settle(1, { result: 'again' })).toBe(false);
  expect(await answered).toBe('yes');
  await expect(calls.begin(() => {}, { timeoutMs: 5 })).rejects.toBeInstanceOf(TimedOut);
  const abort = new AbortController();
  const aborted = calls.begin(() => {}, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  await expect(calls.begin(() => {}, { signal: abort.signal })).rejects.toThrow('enough');
  expect(calls.size).toBe(0);
});
