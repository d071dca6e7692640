/** Callers that hang up, also before anybody listens for it. */
import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { LineWriter } from '../src/fleet/line-writer.ts';
import { hangUpSignal } from '../src/http/hang-up.ts';

/** A reply whose connection is only a record of what is done with it. */
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

test('a caller that hangs up ends its work', () => {
  const { reply, raw } = fakeReply();
  const gone = hangUpSignal(reply);
  expect(gone.aborted).toBe(false);
  raw.emit('close');
  expect(gone.aborted).toBe(true);
});

test('a caller that has hung up before the request was handled is known to be gone', () => {
  expect(hangUpSignal(fakeReply({ destroyed: true }).reply).aborted).toBe(true);
});

test('[FLEET-4] nothing is written behind the output of a call', () => {
  const { reply, written } = fakeReply();
  const lines = new LineWriter(reply);
  lines.say({ progress: 'half' });
  lines.end({ output: 'whole' });
  lines.say({ progress: 'late' });
  expect(written).toEqual(['{"progress":"half"}\n', '{"done":{"output":"whole"}}\n']);
});
