/** Tests which users reach the kernel over loopback, with real connections whose users the test decides (CONSENT-11). */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { readRefusedUsers } from '@chat-kernel/settings/refused-users';
import { fastify } from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { inProcessFetch } from '../src/faces/in-process-fetch.ts';
import { answerProblem } from '../src/http/problems.ts';
import { guardUsers } from '../src/http/user-guard.ts';

const ROOT = 0;
const NOBODY = 65534;
const BODY = '{"text":"a"}';
const HEAD = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/** Serves `POST /` to the users that a lookup allows. */
async function guarded(findUser: () => Promise<number | undefined>, server: object = {}) {
  const warnings: unknown[] = [];
  const sentences: string[] = [];
  const warn = (facts: object, sentence: string) => {
    warnings.push(facts);
    sentences.push(sentence);
  };
  const log = { debug() {}, info() {}, error() {}, warn };
  const app = fastify();
  const data_dir = directoryOfTest();
  const settings = { host: '127.0.0.1', behind_proxy: false, allowed_users: [], ...server };
  await guardUsers(app, { data_dir, server: settings }, log, findUser);
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log));
  app.post('/', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;

  /** Connects, and resolves once the user is known to a kernel that finds it at once. */
  async function open() {
    const accepted = once(app.server, 'connection');
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', text => {
      received += text;
    });
    const [peer] = (await accepted) as [Socket];
    await nextTick();
    return { socket, peer, statuses: () => received.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [] };
  }
  /** Sends a request, and returns the status of its response. */
  async function ask() {
    const { socket, statuses } = await open();
    socket.write(HEAD + BODY);
    await once(socket, 'data');
    return statuses()[0];
  }
  return {
    app,
    open,
    ask,
    warnings,
    sentences,
    refused: () => readRefusedUsers(data_dir).map(({ uid }) => uid),
  };
}

const closed = (socket: Socket) => socket.destroyed || once(socket, 'close');

describe.skipIf(process.platform !== 'linux')('[CONSENT-11]', () => {
  test.each([
    ['the user of the kernel', process.geteuid!(), '200'],
    ['root', ROOT, '200'],
    ['another user', NOBODY, '403'],
    ['an unknown user', undefined, '403'],
  ])('%s gets the right response', async (_, uid, status) => {
    const { ask } = await guarded(async () => uid);
    expect(await ask()).toBe(status);
  });

  test.each([
    ['a proxy guards it', { behind_proxy: true }],
    ['it listens to other machines', { host: '0.0.0.0' }],
  ])('every user reaches a kernel if %s', async (_, server) => {
    const { ask } = await guarded(async () => NOBODY, server);
    expect(await ask()).toBe('200');
  });

  test('a connection without a user so far is looked up again at its next request', async () => {
    let lookups = 0;
    const { open } = await guarded(async () => {
      if (++lookups === 1) throw new Error('the table could not be read');
      return ROOT;
    });
    const { socket, statuses } = await open();
    for (const wanted of [['200'], ['200', '200']]) {
      socket.write(HEAD + BODY);
      await once(socket, 'data');
      expect(statuses()).toEqual(wanted);
    }
    expect(lookups).toBe(2);
  });

  test.each([
    ['before its requests arrive', true, HEAD + BODY],
    ['after its requests have arrived', false, HEAD + BODY],
    ['before requests without a body', true, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('a connection ends with its first refusal if the user is known %s', async (_, isKnown, request) => {
    const user = Promise.withResolvers<number>();
    if (isKnown) user.resolve(NOBODY);
    const { app, open } = await guarded(() => user.promise);
    let requests = 0;
    app.server.on('request', () => requests++);
    const { socket, statuses } = await open();
    socket.write(request.repeat(200));
    if (!isKnown) await expect.poll(() => requests).toBe(200);
    user.resolve(NOBODY);
    await closed(socket);
    expect(statuses()).toEqual(['403']);
  });

  test('a client receives its refusal although it is still sending', async () => {
    const { open } = await guarded(async () => NOBODY);
    const { socket, statuses } = await open();
    socket.write(HEAD);
    await once(socket, 'data');
    expect(statuses()).toEqual(['403']);
    socket.write(BODY);
    await closed(socket);
  });

  test('refused connections without a request end after 2 s, and more than 32 of them at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { open } = await guarded(async () => NOBODY);
    for (let round = 0; round < 2; round++) {
      const sockets: Socket[] = [];
      for (let index = 0; index < 33; index++) sockets.push((await open()).socket);
      await closed(sockets.pop()!);
      vi.advanceTimersByTime(1999);
      expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
      vi.advanceTimersByTime(1);
      await Promise.all(sockets.map(closed));
    }
    const timers = vi.getTimerCount();
    const { socket, peer } = await open();
    expect(vi.getTimerCount()).toBe(timers + 1);
    socket.destroy();
    await closed(peer);
    expect(vi.getTimerCount()).toBe(timers);
  });

  test('connections that ended before their user was known do not count as open', async () => {
    const user = Promise.withResolvers<number>();
    const { app, open, ask } = await guarded(() => user.promise);
    const count = () => new Promise(resolve => app.server.getConnections((_, open) => resolve(open)));
    for (let index = 0; index < 33; index++) (await open()).socket.destroy();
    await expect.poll(count).toBe(0);
    user.resolve(NOBODY);
    expect(await ask()).toBe('403');
  });

  test('each refused user is logged and stored once, at most 32 of them', async () => {
    let next = 1000;
    const { ask, warnings, refused } = await guarded(async () => next);
    for (const uid of [1, 1, 2]) {
      next = 1000 + uid;
      await ask();
    }
    expect([warnings, refused()]).toEqual([
      [{ uid: 1001 }, { uid: 1002 }],
      [1001, 1002],
    ]);
    for (next = 2000; next < 2040; next++) await ask();
    expect(warnings).toHaveLength(32);
  });

  test('a known user is logged without a request, an unknown one with the first request and not stored', async () => {
    let user: number | undefined = NOBODY;
    const { open, ask, warnings, sentences, refused } = await guarded(async () => user);
    await open();
    user = undefined;
    await open();
    expect(warnings).toEqual([{ uid: NOBODY }]);
    await ask();
    expect([warnings, refused()]).toEqual([[{ uid: NOBODY }, { uid: null }], [NOBODY]]);
    expect(sentences).toEqual([
      expect.stringContaining('no requests from the user with the id 65534 of'),
      expect.stringContaining('no requests from an unknown user of'),
    ]);
  });

  test('interfaces in the process of the kernel reach it without a user', async () => {
    let lookups = 0;
    const { app } = await guarded(async () => void lookups++);
    const answer = await inProcessFetch(app.server)('http://localhost/', { method: 'POST' });
    expect([answer.status, lookups]).toEqual([200, 0]);
  });
});
