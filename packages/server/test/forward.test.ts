/** Tests requests that a kernel forwards to the owner of a chat: to others that are HTTP servers with a script. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '@chat-kernel/kernel';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { exchange } from '../../../test/harness/http.ts';
import { forwarding } from '../src/fleet/forward.ts';
import type { Target } from '../src/fleet/hop.ts';
import { Hops } from '../src/fleet/hops.ts';
import { answerProblem } from '../src/http/problems.ts';

const LOG = { debug() {}, info() {}, warn() {}, error() {} };
const STREAM = { 'content-type': 'text/event-stream' };
const frame = (n: number, type = 'text_delta') => `data: {"type":"${type}","n":${n}}\nid: t.${n}\n\n`;

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => unknown;

/** Another kernel, which answers each request with the next of these; the last one stays. */
async function kernelThat(id: string, ...answers: Answer[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    const body = await text(request);
    response.setHeader('x-kernel', id);
    (answers.length > 1 ? answers.shift()! : answers[0]!)(response, request, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return { id, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const unreachable = async (): Promise<Target> => ({
  id: 'dead',
  url: `http://127.0.0.1:${await freePort()}`,
});

type Locate = (body: Buffer | undefined) => Target | null | Promise<Target | null>;

/** This kernel: a server whose only route forwards its requests to the kernel that `locate` finds. */
async function open(
  locate: Locate,
  options?: { byBody?: boolean; of?: string },
  answer: Answer = response => response.writeHead(404).end(),
) {
  const listeners = new Set<(gone: readonly string[]) => void>();
  const fleet = {
    id: 'here',
    secret: 's',
    now: Date.now,
    onDeath(callback: (gone: readonly string[]) => void) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
  } as unknown as Fleet;
  const deps = {
    fleet,
    hops: new Hops(fleet, { countHop() {} }),
    isOfKernel: ({ headers }: { headers: object }) => 'x-of-kernel' in headers,
    ownUrl: () => own.url,
  };
  const own = await kernelThat('here', answer);
  const app = fastify();
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, LOG));
  const raws: ServerResponse[] = [];
  app.addHook('onRequest', (_request, reply, done) => {
    raws.push(reply.raw);
    const allowed = { 'access-control-allow-origin': 'https://own', 'cross-origin-resource-policy': 'own' };
    reply.headers({ ...allowed, 'x-access-control-x': 'own', vary: 'own' });
    done();
  });
  app.route({
    method: ['GET', 'PUT', 'POST'],
    url: '/v1/chats/:id',
    preParsing: forwarding(deps, (_request, body) => Promise.resolve(locate(body)), options),
    handler: ({ body }) => ({ handled: body ?? null }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/chats/c?x=1`;
  const ask = (method = 'GET', headers: Record<string, string> = {}, body?: string) =>
    exchange(url, { method, headers, ...(body !== undefined && { body }) });
  return {
    url,
    ask,
    /** The status, and the detail of a problem. */
    async outcome(...asked: Parameters<typeof ask>) {
      const answer = await ask(...asked);
      const body = await text(answer);
      return [answer.statusCode, body.startsWith('{"type"') ? JSON.parse(body).detail : body];
    },
    /** The fleet detects that these kernels have died. */
    die: (...gone: string[]) => {
      for (const listener of [...listeners]) listener(gone);
    },
    listeners,
    own,
    raws,
  };
}

/** Returns the delays of this length from now on. */
function countPauses(): () => number[] {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  return () => timers.mock.calls.map(([, ms = 0]) => ms).filter(ms => ms >= 50 && ms <= 500);
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('[FLEET-1] a request that needs the owner of a chat', () => {
  it('is forwarded with its method, address, headers and body, and gets the response of the owner', async () => {
    const owner = await kernelThat('there', (response, { method, url, headers }, body) => {
      response.writeHead(201, { 'x-own': 'yes', vary: 'there', 'cross-origin-resource-policy': 'there' });
      response.end(JSON.stringify([method, url, headers['x-mine'], headers['content-type'], body]));
    });
    const { ask } = await open(() => owner);
    const answer = await ask('POST', { ...JSON_TYPE, 'x-mine': 'a' }, '{"b":1}');
    const asked = ['POST', '/v1/chats/c?x=1', 'a', 'application/json', '{"b":1}'];
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([201, asked]);
    // The kernel that the client asked decides what a page of another origin may see.
    expect(answer.headers).toMatchObject({
      'x-own': 'yes',
      vary: 'there',
      'access-control-allow-origin': 'https://own',
      'cross-origin-resource-policy': 'own',
    });
    expect(answer.headers).not.toHaveProperty('x-access-control-x');
    await wait(50);
    expect(owner.requests).toHaveLength(1);
  });

  it('keeps the length of the response, and all of its bytes', async () => {
    // An empty line ends a frame of a stream, which this is not.
    const owner = await kernelThat('there', response =>
      response.writeHead(200, { 'content-length': 4 }).end('a\n\nb'),
    );
    const { ask } = await open(() => owner);
    const answer = await ask();
    const { 'content-length': length, 'transfer-encoding': encoding } = answer.headers;
    expect([length, encoding, await text(answer)]).toEqual(['4', undefined, 'a\n\nb']);
  });

  it.each([
    false,
    true,
  ])('is handled here with its body if this kernel owns the chat (byBody: %s)', async byBody => {
    const bodies: (string | undefined)[] = [];
    const { outcome } = await open(
      body => {
        bodies.push(body?.toString());
        return null;
      },
      { byBody },
    );
    expect(await outcome('POST', JSON_TYPE, '{"a":1}')).toEqual([200, '{"handled":{"a":1}}']);
    expect(await outcome()).toEqual([200, '{"handled":null}']);
    expect(bodies).toEqual(byBody ? ['{"a":1}', undefined] : [undefined, undefined]);
  });

  it('is handled here if the chat moves here while its body is read', async () => {
    const places: (Target | null)[] = [await unreachable(), null];
    const { outcome } = await open(() => places.shift()!);
    expect(await outcome('POST', JSON_TYPE, '{"a":1}')).toEqual([200, '{"handled":{"a":1}}']);
  });

  it('is not forwarded twice: another kernel learns that the owner has changed', async () => {
    const owner = await kernelThat('there', response => response.end());
    const { ask } = await open(() => owner, { of: 'module' });
    const answer = await ask('GET', { 'x-of-kernel': '1' });
    expect([answer.statusCode, answer.headers['x-kernel-moved'], owner.requests]).toEqual([503, 'true', []]);
    expect(JSON.parse(await text(answer)).detail).toBe(
      'The kernel that owns this module is unreachable. The module has moved to another kernel.',
    );
  });

  it.each([
    ['GET', {}, [200, 'done']],
    ['PUT', {}, [200, 'done']],
    ['POST', { 'idempotency-key': 'k' }, [200, 'done']],
    [
      'POST',
      {},
      [503, 'The kernel that owns this chat is unreachable. It disconnected before it responded.'],
    ],
  ])('%s with %o is repeated only if that has no additional effect', async (method, headers, result) => {
    const owner = await kernelThat(
      'there',
      response => response.destroy(),
      response => response.end('done'),
    );
    const { outcome } = await open(() => owner);
    expect(await outcome(method, headers)).toEqual(result);
  });

  it('is repeated if no kernel has handled it, with pauses of up to 200 ms', async () => {
    const moved = await kernelThat('old', response => response.setHeader('x-kernel-moved', 'true').end());
    const owner = await kernelThat('there', response => response.end('done'));
    const places = [moved, moved, await unreachable(), moved, owner];
    const { outcome, listeners } = await open(() => places.shift()!);
    const pauses = countPauses();
    expect(await outcome('POST')).toEqual([200, 'done']);
    expect([pauses(), listeners.size]).toEqual([[50, 100, 200], 0]);
  });

  it('fails after 15 s without a response', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const dead = await unreachable();
    let attempts = -1;
    const { outcome } = await open(() => {
      // The first call only decides whether the request is forwarded.
      if (attempts++ > 0) vi.advanceTimersByTime(7500);
      return dead;
    });
    const detail = 'The kernel that owns this chat is unreachable. It does not respond.';
    expect([await outcome(), attempts]).toEqual([[503, detail], 4]);
  });

  it('waits no longer for a kernel that is detected as dead', async () => {
    const began = Promise.withResolvers<void>();
    const silent = await kernelThat('silent', () => began.resolve());
    const heir = await kernelThat('heir', response => response.end('done'));
    let owner: Target = silent;
    const { outcome, die } = await open(() => owner);
    const result = outcome();
    await began.promise;
    die('another');
    await wait(100);
    expect(silent.requests).toHaveLength(1);
    owner = heir;
    die('another', 'silent');
    expect(await result).toEqual([200, 'done']);
  });

  it('is aborted at the owner if its client disconnects', async () => {
    const began = Promise.withResolvers<ServerResponse>();
    const owner = await kernelThat('there', began.resolve);
    const { url, listeners } = await open(() => owner);
    const client = new AbortController();
    const answer = fetch(url, { signal: client.signal });
    const response = await began.promise;
    client.abort();
    await Promise.all([once(response, 'close'), expect(answer).rejects.toThrow('aborted')]);
    await expect.poll(() => [listeners.size, owner.requests.length]).toEqual([0, 1]);
  });

  it('breaks off if the owner breaks off', async () => {
    const owner = await kernelThat('there', response => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(() => response.destroy());
    });
    const { ask } = await open(() => owner);
    await expect(text(await ask())).rejects.toThrow('aborted');
  });
});

describe('[FLEET-3] a stream of the owner', () => {
  /** Sends frames, and breaks off. */
  const breaksAfter =
    (frames: string, headers: Record<string, string> = {}): Answer =>
    response => {
      response.writeHead(200, { ...STREAM, ...headers });
      response.write(`retry: 1000\n${frames}`, () => response.destroy());
    };
  const ends =
    (frames: string): Answer =>
    response =>
      response.writeHead(200, STREAM).end(`retry: 1000\n${frames}`);
  const after = ({ headers }: IncomingMessage) => headers['last-event-id'];

  it('continues at the next owner after the last complete event', async () => {
    const first = await kernelThat('first', breaksAfter(`${frame(1)}${frame(2).slice(0, 20)}`));
    const next = await kernelThat('next', ends(frame(2) + frame(3, 'done')));
    const places = [first, first, next];
    const { outcome, listeners } = await open(() => places.shift()!);
    const whole = `retry: 1000\n${frame(1)}${frame(2)}${frame(3, 'done')}`;
    expect(await outcome('GET', { 'last-event-id': 't.0', 'x-mine': 'a' })).toEqual([200, whole]);
    expect([after(first.requests[0]!), after(next.requests[0]!)]).toEqual(['t.0', 't.1']);
    expect(next.requests[0]!.headers['x-mine']).toBe('a');
    expect(listeners.size).toBe(0);
  });

  it.each([
    ['the whole turn if its id is known', { 'x-turn-id': 't' }, 't.999999999999999'],
    ['what the client asked for otherwise', {}, 't.0'],
  ])('without any event continues with %s', async (_, headers, from) => {
    const owner = await kernelThat('there', breaksAfter('', headers), ends(frame(1, 'done')));
    const { outcome } = await open(() => owner);
    expect(await outcome('GET', { 'last-event-id': 't.0' })).toEqual([
      200,
      `retry: 1000\n${frame(1, 'done')}`,
    ]);
    expect(owner.requests.map(after)).toEqual(['t.0', from]);
  });

  it('without any event and without Last-Event-ID begins again', async () => {
    const owner = await kernelThat('there', breaksAfter(''), ends(frame(1, 'done')));
    const { outcome } = await open(() => owner);
    await outcome();
    expect(owner.requests.map(after)).toEqual([undefined, undefined]);
  });

  it('ends with the end of a turn, or if the next owner has nothing more', async () => {
    const done = await kernelThat('there', ends(frame(1, 'done')));
    expect(await (await open(() => done)).outcome()).toEqual([200, `retry: 1000\n${frame(1, 'done')}`]);
    expect(done.requests).toHaveLength(1);
    // A kernel that stops ends its streams in order.
    const stopped = await kernelThat('there', ends(frame(1)), ends(frame(2)), ends(''));
    expect(await (await open(() => stopped)).outcome()).toEqual([200, `retry: 1000\n${frame(1)}${frame(2)}`]);
    expect(stopped.requests.map(after)).toEqual([undefined, 't.1', 't.2']);
  });

  it.each([
    [503, [200, `retry: 1000\n${frame(1)}${frame(2, 'done')}`], 3],
    [404, [200, `retry: 1000\n${frame(1)}`], 2],
  ])('continues after a response %i to its continuation only if the chat may get an owner', async (...facts) => {
    const [status, result, requests] = facts;
    const owner = await kernelThat(
      'there',
      breaksAfter(frame(1)),
      response => response.writeHead(status).end(),
      ends(frame(2, 'done')),
    );
    const { outcome, listeners } = await open(() => owner);
    expect(await outcome()).toEqual(result);
    expect([owner.requests.length, listeners.size]).toEqual([requests, 0]);
  });

  it('continues here if this kernel is the next owner, and asks again while there is none', async () => {
    const owner = await kernelThat('there', breaksAfter(frame(1)));
    const places = [owner, owner, undefined, null];
    const { outcome, own } = await open(
      () => {
        const place = places.shift();
        if (place === undefined) throw new Error('the database is unreachable');
        return place;
      },
      {},
      ends(frame(2, 'done')),
    );
    expect(await outcome()).toEqual([200, `retry: 1000\n${frame(1)}${frame(2, 'done')}`]);
    expect(own.requests.map(after)).toEqual(['t.1']);
  });

  it('ends after 15 s without another owner', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const owner = await kernelThat('there', breaksAfter(frame(1)), response => {
      vi.advanceTimersByTime(7500);
      response.writeHead(503).end();
    });
    const { outcome } = await open(() => owner);
    const pauses = countPauses();
    expect(await outcome()).toEqual([200, `retry: 1000\n${frame(1)}`]);
    expect([owner.requests.length, pauses()]).toEqual([4, [50, 100]]);
  });

  it('is aborted at the owner if its client disconnects, and not requested again', async () => {
    const began = Promise.withResolvers<ServerResponse>();
    const owner = await kernelThat('there', response => {
      response.writeHead(200, STREAM).write(frame(1));
      began.resolve(response);
    });
    const { ask, listeners } = await open(() => owner);
    const answer = await ask();
    const response = await began.promise;
    answer.on('error', () => {}).destroy();
    await once(response, 'close');
    await wait(100);
    expect([owner.requests.length, listeners.size]).toEqual([1, 0]);
  });

  it('is aborted also at its next owner, if that dies or its client disconnects', async () => {
    const responses: ServerResponse[] = [];
    const stays: Answer = response => {
      response.writeHead(200, STREAM).write(frame(2));
      responses.push(response);
    };
    const first = await kernelThat('first', breaksAfter(frame(1)));
    const [second, third] = [await kernelThat('second', stays), await kernelThat('third', stays)];
    const places = [first, first, second, third];
    const { ask, die } = await open(() => places.shift()!);
    const answer = await ask();
    await expect.poll(() => responses.length).toBe(1);
    die('second');
    await expect.poll(() => responses.length).toBe(2);
    answer.on('error', () => {}).destroy();
    for (const response of responses) if (!response.closed) await once(response, 'close');
  });

  it('sends its status before its first event', async () => {
    const owner = await kernelThat('there', response => response.writeHead(200, STREAM).flushHeaders());
    const { ask } = await open(() => owner);
    const answer = await ask();
    expect(answer.statusCode).toBe(200);
    answer.on('error', () => {}).destroy();
  });

  it('is read from the owner only as fast as the client reads', async () => {
    const chunk = frame(1).repeat(20_000);
    let sent = 0;
    let listening = 0;
    function* frames() {
      for (; sent < 100; sent++) yield chunk;
      listening = raws[0]!.listenerCount('close');
      yield frame(2, 'done');
    }
    const owner = await kernelThat('there', response => {
      Readable.from(frames()).pipe(response.writeHead(200, STREAM));
    });
    const { ask, raws } = await open(() => owner);
    const answer = await ask();
    await wait(150);
    expect(raws[0]!.writableLength).toBeLessThan(1_000_000);
    expect((await text(answer)).length).toBe(100 * chunk.length + frame(2, 'done').length);
    // A listener for each pause would use up memory.
    expect(listening).toBeLessThan(10);
  });
});
