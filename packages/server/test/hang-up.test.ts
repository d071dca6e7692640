/** Tests callers that disconnect, even before a listener exists. */
import { EventEmitter } from 'node:events';
import { disconnectSignal } from '@chat-kernel/http';
import type { FastifyReply } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LineWriter } from '../src/fleet/line-writer.ts';

/** A reply whose connection only records how it is used. */
function fakeReply({ destroyed = false } = {}) {
  const written: string[] = [];
  const head: unknown[] = [];
  const raw = Object.assign(new EventEmitter(), {
    destroyed,
    writableEnded: false,
    writeHead: (...facts: unknown[]) => void head.push(...facts),
    flushHeaders: () => void head.push('flushed'),
    write: (text: string) => written.push(text),
    end() {
      raw.writableEnded = true;
    },
    destroy() {
      raw.destroyed = true;
    },
  });
  const reply = {
    raw,
    sent: false,
    getHeaders: () => ({ 'x-kernel': 'here' }),
    hijack() {
      reply.sent = true;
    },
  };
  return { reply: reply as unknown as FastifyReply, raw, written, head };
}

test('ends the work of a caller that disconnects', () => {
  const { reply, raw } = fakeReply();
  const gone = disconnectSignal(reply);
  expect(gone.aborted).toBe(false);
  raw.emit('close');
  expect(gone.aborted).toBe(true);
});

test('detects a caller that disconnected before the request was handled', () => {
  expect(disconnectSignal(fakeReply({ destroyed: true }).reply).aborted).toBe(true);
});

test('[FLEET-4] writes nothing after the output of a call', () => {
  const { reply, written, head } = fakeReply();
  const lines = new LineWriter(reply);
  lines.say({ progress: 'half' });
  expect(head).toEqual([200, { 'x-kernel': 'here', 'content-type': 'application/x-ndjson' }, 'flushed']);
  lines.end({ output: 'whole' });
  lines.say({ progress: 'late' });
  expect(written).toEqual(['{"progress":"half"}\n', '{"done":{"output":"whole"}}\n']);
});

test('[FLEET-4] sends an empty line every 15 s until the call or the connection ends', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const end of ['output', 'disconnect']) {
    const { reply, raw, written } = fakeReply();
    const lines = new LineWriter(reply);
    lines.begin();
    lines.begin();
    vi.advanceTimersByTime(14_999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(15_001);
    expect(written).toEqual(['\n', '\n']);
    if (end === 'output') lines.end({ output: '' });
    else raw.emit('close');
    expect([end, vi.getTimerCount()]).toEqual([end, 0]);
  }
});

test('[FLEET-4] writes nothing to a caller that has disconnected', () => {
  const { reply, raw, written } = fakeReply();
  const lines = new LineWriter(reply);
  lines.begin();
  lines.breakOff();
  lines.say({ progress: 'late' });
  expect([raw.destroyed, written]).toEqual([true, []]);
  const gone = fakeReply({ destroyed: true });
  new LineWriter(gone.reply).say({ progress: 'late' });
  expect([gone.reply.sent, gone.written]).toEqual([false, []]);
});

test('[FLEET-4] sends images in base64', () => {
  const { reply, written } = fakeReply();
  const image = { media_type: 'image/png', bytes: Buffer.of(255, 0) } as const;
  new LineWriter(reply).end({ output: '', images: [image] });
  const data = [{ media_type: 'image/png', data: '/wA=' }];
  expect(written.map(line => JSON.parse(line))).toEqual([{ done: { output: '', images: data } }]);
});
