/**
 * Tests the reconnecting core in cases that no kernel can produce: silence, retry, refusals, pages of a proxy; and the
 * kernel's own events.
 */
import { getEventListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { startKernel } from '../../../test/harness/kernel.ts';
import { KernelClient, type KernelEvent, type StreamConnection, type StreamOptions } from '../src/index.ts';
import { startCutter } from './cutter.ts';

/**
 * Starts a server with a script for each connection in turn, which records the ids after which clients want to resume.
 */
async function scripted(...connections: ((response: ServerResponse) => void)[]) {
  const resumed: (string | undefined)[] = [];
  const at: number[] = [];
  const server = createServer((request, response) => {
    resumed.push(request.headers['last-event-id'] as string | undefined);
    at.push(Date.now());
    const next = connections.shift();
    if (next) next(response);
    else
      response
        .writeHead(404, { 'content-type': 'application/problem+json' })
        .end('{"code":"not_found","detail":"Over."}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise(resolve => server.close(() => resolve()).closeAllConnections()));
  const client = new KernelClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return { client, resumed, at };
}
/** A client whose connections follow a script within this process, so that time passes only as the test wants. */
function played(...connections: (() => Response | Promise<Response>)[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const resumed: (string | null)[] = [];
  const at: number[] = [];
  const play = async (_: unknown, init?: RequestInit): Promise<Response> => {
    resumed.push(new Headers(init?.headers).get('last-event-id'));
    at.push(Date.now());
    const next = connections.shift();
    if (next) return next();
    const headers = { 'content-type': 'application/problem+json' };
    return Response.json({ code: 'not_found', detail: 'Over.' }, { status: 404, headers });
  };
  return { client: new KernelClient({ url: 'http://kernel.example', fetch: play }), resumed, at };
}
/** @param play sends the parts of the stream */
function streamed(play: (send: (text: string) => void, end: () => void) => void): Response {
  const body = new ReadableStream<Uint8Array>({
    start: controller =>
      play(
        text => controller.enqueue(new TextEncoder().encode(text)),
        () => controller.close(),
      ),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
const stream = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
const event = (id: string) => `id: ${id}\ndata: {"type":"chat_deleted","chat_id":"${id}"}\n\n`;
/** Reads up to the refusal that ends every script. */
async function readAll(client: KernelClient, options: StreamOptions) {
  const events: KernelEvent[] = [];
  const states: StreamConnection[] = [];
  const told = (state: StreamConnection) => {
    states.push(state);
    options.onConnection?.(state);
  };
  const reading = (async () => {
    for await (const event of client.events({ ...options, onConnection: told })) {
      events.push(event);
    }
  })();
  await expect(reading).rejects.toMatchObject({ status: 404, code: 'not_found' });
  return { ids: events.map(event => 'chat_id' in event && event.chat_id), states };
}

it('leaves a silent connection, keeps one with heartbeats, and resumes after the newest event', async () => {
  const { client, resumed } = played(
    () => streamed(send => send(event('a'))),
    () =>
      streamed((send, end) => {
        send(event('b'));
        const beat = setInterval(() => send(': heartbeat\n\n'), 1000);
        setTimeout(() => {
          clearInterval(beat);
          send(event('c'));
          end();
        }, 10_500);
      }),
    () => streamed(send => send('id: d\n\n')),
    () => new Promise(() => {}),
  );
  const reading = readAll(client, { silenceMs: 1500, retryMs: 1 });
  await vi.advanceTimersByTimeAsync(20_000);
  const { ids, states } = await reading;
  expect(ids).toEqual(['a', 'b', 'c']);
  // The line before the last had an id without an event; the last one never got a response.
  expect(resumed).toEqual([null, 'a', 'c', 'd', 'd']);
  const causes = states.flatMap(state => (state.state === 'waiting' ? [(state.cause as Error).message] : []));
  expect(causes).toEqual([
    'The kernel fell silent.',
    'The kernel ended the stream.',
    'The kernel fell silent.',
    'The kernel fell silent.',
  ]);
  expect(states.at(-1)).toEqual({ state: 'closed' });
});

it('waits as long as the server requests, longer each time, and reports the delay', async () => {
  const unavailable = () => new Response(null, { status: 503 });
  const { client, at } = played(
    () =>
      streamed((send, end) => {
        send(`retry: 100\n\n${event('a')}`);
        end();
      }),
    unavailable,
    unavailable,
  );
  const told: number[] = [];
  const reading = readAll(client, {
    onConnection: state => {
      if (state.state === 'waiting') told.push(state.retry_at - Date.now());
    },
  });
  await vi.advanceTimersByTimeAsync(1000);
  const { states } = await reading;
  const waited = at.slice(1).map((time, index) => time - at[index]!);
  for (const [index, longest] of [100, 200, 400].entries()) {
    expect(told[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(told[index]).toBeLessThanOrEqual(longest);
    expect(waited[index]).toBe(Math.floor(told[index]!));
  }
  expect(states.flatMap(state => (state.state === 'waiting' ? [state.attempt] : []))).toEqual([1, 2, 3]);
});

it('treats other content as a dropped connection, and reads the remaining events', async () => {
  const { client, resumed } = await scripted(
    response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Please log in.'),
    response => {
      stream(response, `${event('a')}id: b\ndata: <p>\n\n`);
      response.end(event('never'));
    },
    response => {
      stream(response, `${event('c')}id: d\ndata: null\n\n`);
      response.end();
    },
    response => {
      stream(response, event('e€'));
      response.end();
    },
  );
  const { ids, states } = await readAll(client, { retryMs: 1 });
  expect(ids).toEqual(['a', 'c', 'e€']);
  // No header can contain the last id.
  expect(resumed).toEqual([undefined, undefined, 'b', 'd', undefined]);
  const causes = states.flatMap(state => (state.state === 'waiting' ? [(state.cause as Error).message] : []));
  expect(causes).toEqual([
    'No event stream came, but text/html: what answers is not the kernel.',
    'No event came, but <p>',
    'No event came, but null',
    'The kernel ended the stream.',
  ]);
});

it('limits the reconnect rate if the server requests no delay', async () => {
  const at_once = (response: ServerResponse) => {
    stream(response, `retry: 0\n\n${event('a')}`);
    response.end();
  };
  const { client, at } = await scripted(at_once, at_once, at_once, at_once);
  await readAll(client, {});
  expect(at.at(-1)! - at[0]!).toBeGreaterThanOrEqual(4 * 50 - 5);
});

it('does not treat an HTML page as an accepted message', async () => {
  const { client } = await scripted(response => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Please log in.');
  });
  const turn = client.turn('chat', { text: 'Go.' }, { retryMs: 1 });
  await expect(turn.started).rejects.toMatchObject({ status: 404 });
});

it('keeps following a chat after a 204 from a proxy', async () => {
  const nothing = (response: ServerResponse) => void response.writeHead(204).end();
  const { client, at } = await scripted(nothing, nothing);
  const reading = Array.fromAsync(client.live('chat', { follow: true, retryMs: 1 }));
  await expect(reading).rejects.toMatchObject({ status: 404 });
  expect(at).toHaveLength(3);
});

it('removes its listeners from a signal that outlives many connections', async () => {
  const ends = (response: ServerResponse) => stream(response, '\n') && response.end();
  const { client } = await scripted(...Array.from({ length: 50 }, () => ends));
  const leaving = new AbortController();
  let most = 0;
  const onConnection = () => {
    most = Math.max(most, getEventListeners(leaving.signal, 'abort').length);
  };
  await readAll(client, { signal: leaving.signal, retryMs: 0, onConnection });
  expect(most).toBeLessThanOrEqual(2);
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
});

it('ends on a signal while it reads and while it waits', async () => {
  const { client } = await scripted(response => stream(response, event('a')));
  for (const wanted of ['open', 'waiting'] as const) {
    const leaving = new AbortController();
    const reading = (async () => {
      const onConnection = ({ state }: StreamConnection) => {
        if (state === wanted) setTimeout(() => leaving.abort(new Error('enough')), 10);
      };
      const from = wanted === 'open' ? client : new KernelClient({ url: 'http://127.0.0.1:9' });
      for await (const _ of from.events({ signal: leaving.signal, onConnection }));
    })();
    await expect(reading).rejects.toThrow('enough');
  }
});

it('[CHAT-5] follows all chats without loss over a dropped connection, with a reset after a kernel restart', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  let kernel = await startKernel({ dataDir: directory.path });
  const wire = await startCutter(kernel.url);
  onTestFinished(wire.close);
  const heard: string[] = [];
  const leaving = new AbortController();
  const states: string[] = [];
  const client = new KernelClient({ url: wire.url });
  const reading = (async () => {
    const onConnection = ({ state }: StreamConnection) => void states.push(state);
    for await (const event of client.events({ signal: leaving.signal, retryMs: 5, onConnection })) {
      heard.push('chat' in event ? `${event.type} ${event.chat.title}` : event.type);
    }
  })();
  await expect.poll(() => states).toContain('open');
  await kernel.api.newChat({ title: 'one' });
  wire.refuse(true);
  wire.cut();
  await kernel.api.newChat({ title: 'two' });
  wire.refuse(false);
  await expect.poll(() => heard).toEqual(['opened', 'chat_created one', 'chat_created two']);
  await kernel.stop();
  kernel = await startKernel({ dataDir: directory.path });
  onTestFinished(kernel.stop);
  wire.leadTo(kernel.url);
  await expect.poll(() => heard.at(-1), { timeout: 30_000 }).toBe('reset');
  await kernel.api.newChat({ title: 'three' });
  await expect.poll(() => heard.at(-1)).toBe('chat_created three');
  leaving.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});
