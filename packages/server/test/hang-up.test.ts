/** Tests callers that disconnect, even before a listener exists. */
import { EventEmitter } from 'node:events';
import { disconnectSignal } from '@chat-kernel/http';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { LineWriter } from '../src/fleet/line-writer.ts';

/** A reply whose connection only records how it is used. */
function fakeReply({ destroyed = false } = {}) {
  const written: string[] = [];
  const raw = Object.assign(new EventEmitter(), {
    destroyed,
    writableEnded: false,
    writeHead() {},
    flushHeaders() {},
    write: (text: string) => written.push(text),
    end() {
      raw.writableEnded = true;
    },
  });
  const reply = {
    raw,
    sent: false,
    getHeaders: () => ({}),
    hijack() {
      reply.sent = true;
    },
  };
  return { reply: reply as unknown as FastifyReply, raw, written };
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
  const { reply, written } = fakeReply();
  const lines = new LineWriter(reply);
  lines.say({ progress: 'half' });
  lines.end({ output: 'whole' });
  lines.say({ progress: 'late' });
  expect(written).toEqual(['{"progress":"half"}\n', '{"done":{"output":"whole"}}\n']);
});
