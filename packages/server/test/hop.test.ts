/** Tests requests to other kernels: what is sent, and which answers count. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type Asked, hop, NoAnswer, withoutConnection } from '../src/fleet/hop.ts';
import { Hops } from '../src/fleet/hops.ts';
import { isAliveFrom } from '../src/fleet/is-alive.ts';
import { verified } from '../src/fleet/signature.ts';

const FROM = { id: 'one', secret: 'shared', now: Date.now };
const GET: Asked = { method: 'GET', url: '/v1/chats?limit=1', headers: {}, body: undefined };
const patience = () => AbortSignal.timeout(20_000);

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Returns the address of a server that handles requests so. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A kernel with the id `two`, and the requests that it got. */
async function serveKernel(headers: Record<string, string> = {}) {
  const requests: (Pick<IncomingMessage, 'headers' | 'method' | 'url'> & {
    body: string;
    isSigned: boolean;
  })[] = [];
  const url = await serve(async (request, response) => {
    const { headers: sent, method, url } = request;
    requests.push({
      headers: sent,
      method,
      url,
      body: await text(request),
      isSigned: verified('shared', request)?.to === 'two',
    });
    response.writeHead(200, { 'x-kernel': 'two', ...headers }).end('here');
  });
  return { url, requests };
}

const refused = (asking: Promise<unknown>) =>
  asking.then(
    () => 'answered',
    (error: unknown) => (error instanceof NoAnswer ? { wasSent: error.wasSent } : error),
  );

it('sends a signed request below the address of the kernel, without the headers of the connection', async () => {
  const { url, requests } = await serveKernel();
  const body = Buffer.from('{"text":"ä"}');
  const headers = {
    'x-own': 'yes',
    connection: 'close',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    expect: '100-continue',
    origin: 'https://a.example',
    'content-length': '3',
  };
  const asked = { ...GET, method: 'POST', headers, body };
  const answer = await hop(FROM, { id: 'two', url: `${url}/base/` }, asked, patience());
  expect(await text(answer)).toBe('here');
  await text(await hop(FROM, { id: 'two', url }, GET, patience()));
  const [post, get] = requests;
  expect(post).toMatchObject({
    method: 'POST',
    url: '/base/v1/chats?limit=1',
    body: body.toString(),
    isSigned: true,
    headers: { 'x-own': 'yes', 'content-length': String(body.length) },
  });
  for (const name of ['keep-alive', 'te', 'expect', 'origin']) expect(post?.headers).not.toHaveProperty(name);
  expect(get).toMatchObject({ method: 'GET', url: '/v1/chats?limit=1', isSigned: true });
  expect(get?.headers).not.toHaveProperty('content-length');
});

it('drops each header of a single connection', () => {
  const names =
    'connection content-length expect host keep-alive origin proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade';
  const headers = Object.fromEntries(names.split(' ').map(name => [name, 'x']));
  expect(withoutConnection({ ...headers, 'x-own': 'x', cookie: 'a=b' })).toEqual({
    'x-own': 'x',
    cookie: 'a=b',
  });
});

it('reuses the connection to a kernel, except for a fresh one', async () => {
  const ports: (number | undefined)[] = [];
  const url = await serve(({ socket }, response) => {
    ports.push(socket.remotePort);
    response.setHeader('x-kernel', 'two').end('here');
  });
  for (const fresh of [false, false, true]) {
    await text(await hop(FROM, { id: 'two', url }, GET, patience(), { fresh }));
    // The socket returns to the pool after the end of its response.
    await nextTick();
  }
  expect(ports[1]).toBe(ports[0]);
  expect(ports[2]).not.toBe(ports[0]);
});

it.each([false, true])('speaks TLS to a kernel with an https address (fresh: %j)', async fresh => {
  const { promise: first, resolve } = Promise.withResolvers<unknown>();
  const server = createTcpServer(socket => {
    socket
      .on('error', () => {})
      .once('data', bytes => {
        resolve(bytes[0]);
        socket.destroy();
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await refused(hop(FROM, { id: 'two', url }, GET, patience(), { fresh }));
  // A handshake.
  expect(await first).toBe(22);
});

it('does not count the answer of another program, or of another kernel', async () => {
  for (const headers of [{}, { 'x-kernel': 'three' }]) {
    const url = await serve((_, response) => response.writeHead(200, headers).end('hello'));
    const target = { id: 'two', url };
    expect(await refused(hop(FROM, target, GET, patience()))).toEqual({ wasSent: false });
    expect(await isAliveFrom(FROM)(target)).toBe(false);
  }
});

it('distinguishes a kernel that was not reached from one that may have handled the request', async () => {
  const deaf = createTcpServer(socket => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const { port } = deaf.address() as AddressInfo;
  const target = { id: 'two', url: `http://127.0.0.1:${port}` };
  expect(await refused(hop(FROM, target, GET, patience(), { fresh: true }))).toEqual({ wasSent: true });
  await new Promise(resolve => deaf.close(resolve));
  expect(await refused(hop(FROM, target, GET, patience(), { fresh: true }))).toEqual({ wasSent: false });
  expect(await isAliveFrom(FROM)(target)).toBe(false);
});

it('reports a kernel as alive when it answers', async () => {
  const { url } = await serveKernel();
  expect(await isAliveFrom(FROM)({ id: 'two', url })).toBe(true);
});

it('counts requests by their outcome', async () => {
  const counted: string[] = [];
  const metrics = { countHop: (outcome: string) => void counted.push(outcome) };
  const hops = new Hops(FROM, metrics);
  const kernel = await serveKernel();
  const moved = await serveKernel({ 'x-kernel-moved': 'yes' });
  const other = await serve((_, response) => response.end());
  for (const { url } of [kernel, moved]) (await hops.ask({ id: 'two', url }, GET, patience())).resume();
  expect(await refused(hops.ask({ id: 'two', url: other }, GET, patience()))).toEqual({ wasSent: false });
  expect(counted).toEqual(['answered', 'moved', 'no_answer']);
});
