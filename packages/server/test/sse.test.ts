/** Tests ends of streams: peers that disconnect before their stream begins, or stop reading before it ends. */
import { request } from 'node:http';
import type { Log, Reader } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { openApp } from '../src/app.ts';
import { eventStream } from '../src/http/event-stream.ts';
import { type AppServices, defineRoute } from '../src/http/route.ts';
import { stream } from '../src/http/sse.ts';
import { LoopWatch } from '../src/metrics/loop-watch.ts';
import { Metrics } from '../src/metrics/metrics.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  vi.useRealTimers();
  app?.server.closeAllConnections();
  await app?.close();
});

/** Starts an application with this handler as its only route. @returns its address */
async function serve(handler: (reply: FastifyReply) => Promise<FastifyReply>): Promise<string> {
  const route = defineRoute({
    method: 'GET',
    url: '/v1/stream',
    operationId: 'stream',
    summary: 'A stream',
    tag: { name: 'test', description: 'Routes of a test.' },
    responses: { 200: eventStream },
    handler: ({ reply }) => handler(reply),
  });
  const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
  const loop = new LoopWatch(log, () => {});
  app = await openApp(
    { settings: Settings.parse({}), log, metrics: new Metrics(), loop, version: '1' } as AppServices,
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
