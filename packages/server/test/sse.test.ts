/** Tests ends of streams: peers that disconnect before their stream begins, or stop reading before it ends. */
import { EventEmitter } from 'node:events';
import { request } from 'node:http';
import type { Log, Reader } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { openApp } from '../src/app.ts';
import { type AppServices, routesOf } from '../src/http/route.ts';
import { eventStream, stream } from '../src/http/sse.ts';
import { Metrics } from '../src/metrics/metrics.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  vi.useRealTimers();
  app?.server.closeAllConnections();
  await app?.close();
});

/** Starts an application with this handler as its only route. @returns its address */
async function serve(handler: (reply: FastifyReply) => Promise<FastifyReply>): Promise<string> {
  const route = routesOf({ name: 'test', description: 'Routes of a test.' })('GET /v1/stream', {
    operationId: 'stream',
    summary: 'A stream',
    responses: { 200: eventStream },
    handler: ({ reply }) => handler(reply),
  });
  const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
  app = await openApp(
    { settings: Settings.parse({}), log, metrics: new Metrics(), version: '1' } as AppServices,
    [route],
  );
  return app.listen({ host: '127.0.0.1', port: 0 });
}

/** Returns a reader that has these pieces, and then ends or waits. */
function readerOf(pieces: string[], ends: boolean): Reader & { stopped: number } {
  return {
    stopped: 0,
    take: () => pieces.shift() ?? '',
    get ended() {
      return ends && pieces.length === 0;
    },
    wait() {},
    stop() {
      this.stopped++;
    },
  };
}

it('stops a reader whose peer disconnected before its stream started', async () => {
  const reader = readerOf([], false);
  const arrived = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const url = await serve(async reply => {
    const gone = new Promise(resolve => reply.raw.once('close', resolve));
    arrived.resolve();
    await gone;
    stream(reply, reader);
    done.resolve();
    return reply;
  });
  const asked = request(`${url}/v1/stream`).on('error', () => {});
  asked.end();
  await arrived.promise;
  asked.destroy();
  await done.promise;
  expect(reader.stopped).toBe(1);
});

it('does not write to an ended stream before its peer has read the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const failures: unknown[] = [];
  const streaming = Promise.withResolvers<{ raw: FastifyReply['raw'] }>();
  const url = await serve(async reply => {
    const { raw } = reply;
    raw.on('error', error => failures.push(error));
    // Node itself corks the socket until the next tick.
    await new Promise(resolve => setImmediate(resolve));
    // A corked socket sends nothing, as if the peer's window were full.
    raw.socket?.cork();
    stream(reply, readerOf(['data: {}\n\n'], true));
    streaming.resolve({ raw });
    return reply;
  });
  const asked = request(`${url}/v1/stream`).on('error', () => {});
  asked.end();
  const { raw } = await streaming.promise;
  expect([raw.writableEnded, raw.writableFinished]).toEqual([true, false]);
  vi.advanceTimersByTime(60_000);
  await new Promise(resolve => setImmediate(resolve));
  expect(failures).toEqual([]);
  asked.destroy();
});

it('disconnects a peer that reads nothing at the 20th heartbeat, and stops its heartbeats', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const reader = readerOf(['x'.repeat(1024 * 1024)], false);
  const streaming = Promise.withResolvers<{ raw: FastifyReply['raw'] }>();
  const url = await serve(async reply => {
    const { raw } = reply;
    await new Promise(resolve => setImmediate(resolve));
    raw.socket?.cork();
    stream(reply, reader);
    streaming.resolve({ raw });
    return reply;
  });
  const others = vi.getTimerCount();
  const asked = request(`${url}/v1/stream`).on('error', () => {});
  asked.end();
  const { raw } = await streaming.promise;
  const closed = new Promise(resolve => raw.once('close', resolve));
  expect(vi.getTimerCount()).toBe(others + 1);
  vi.advanceTimersByTime(19 * 15_000);
  expect(raw.destroyed).toBe(false);
  vi.advanceTimersByTime(15_000);
  expect(raw.destroyed).toBe(true);
  await closed;
  expect([vi.getTimerCount(), reader.stopped]).toEqual([others, 1]);
});

/** A connection that records what is written, as far as its buffer has room. */
function fakeConnection(hasRoom: (written: string[]) => boolean) {
  const written: string[] = [];
  const head: unknown[] = [];
  const headers: Record<string, string> = { vary: 'Origin' };
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    writeHead: (...facts: unknown[]) => void head.push(...facts),
    write(text: string) {
      written.push(text);
      return hasRoom(written);
    },
    end: () => void written.push('end'),
    destroy() {
      raw.destroyed = true;
    },
  });
  const reply = {
    raw,
    hijack: () => void head.push('hijacked'),
    header: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    getHeaders: () => headers,
  };
  onTestFinished(() => void raw.emit('close'));
  return { raw, written, head, reply: reply as unknown as FastifyReply };
}

it('writes at the speed of its peer: nothing more until the buffer has drained', () => {
  // The hint fits into the buffer, and each piece fills it.
  const { raw, written, head, reply } = fakeConnection(({ length }) => length === 1);
  expect(stream(reply, readerOf(['a', 'b'], true), { 'x-turn-id': 't' })).toBe(reply);
  const type = { 'content-type': 'text/event-stream', vary: 'Origin', 'x-turn-id': 't' };
  const unbuffered = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' };
  expect(head).toEqual(['hijacked', 200, { ...type, ...unbuffered }]);
  expect(written).toEqual(['retry: 1000\n', 'a']);
  for (const more of ['b', 'end']) {
    raw.emit('drain');
    expect(written.at(-1)).toBe(more);
  }
});

it('writes further pieces when its reader has some, unless its peer has disconnected', () => {
  const { raw, written, reply } = fakeConnection(() => true);
  const pieces: string[] = [];
  let wake = () => {};
  const reader = {
    ...readerOf(pieces, false),
    wait(callback: () => void) {
      wake = callback;
    },
  };
  stream(reply, reader);
  pieces.push('a');
  wake();
  expect(written).toEqual(['retry: 1000\n', 'a']);
  pieces.push('b');
  raw.destroyed = true;
  wake();
  expect(written).toHaveLength(2);
});

it('sends a heartbeat every 15 s while its peer reads, and counts those without reading from its last drain', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const beat = ': heartbeat\n';
  // The second heartbeat fills the buffer.
  const { raw, written, reply } = fakeConnection(({ length }) => length < 3);
  stream(reply, readerOf([], false));
  vi.advanceTimersByTime(21 * 15_000);
  expect([written, raw.destroyed]).toEqual([['retry: 1000\n', beat, beat], false]);
  raw.emit('drain');
  vi.advanceTimersByTime(20 * 15_000);
  expect([written.length, raw.destroyed]).toEqual([4, false]);
  vi.advanceTimersByTime(15_000);
  expect(raw.destroyed).toBe(true);
});
