/** Tests outgoing requests: connections are reused, and lead to public addresses only where that is asked for. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { KeptConnectionClosed, NotPublic, readAtMost, send, sendFetch } from '../src/index.ts';

/** Starts a server on this machine. */
async function serve(listener: RequestListener) {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function textAt(url: string, options: Parameters<typeof send>[1] = { keep: true }): Promise<string> {
  const text = await readAtMost(await send(url, options), 1000);
  // A connection is free shortly after its response.
  await sleep(5);
  return text.toString();
}

test('keeps the connections of requests that ask for it', async () => {
  const { port, sockets } = await serve((_, response) => void response.end('ok'));
  const url = `http://127.0.0.1:${port}/`;
  for (let turn = 0; turn < 5; turn++) expect(await textAt(url)).toBe('ok');
  expect(sockets.size).toBe(1);
  expect(await (await sendFetch(url)).text()).toBe('ok');
  await sleep(5);
  expect(sockets.size).toBe(1);
  expect(await textAt(url, {})).toBe('ok');
  expect(sockets.size).toBe(2);
  await expect.poll(() => [...sockets].filter(({ destroyed }) => destroyed).length).toBe(1);
});

test('[PUSH-4] does not connect to this machine by an address or a name, nor over a connection of another request', async () => {
  const { port, sockets } = await serve((_, response) => void response.end());
  await textAt(`http://127.0.0.1:${port}/`);
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', 'localhost']) {
    const refused = send(`http://${host}:${port}/`, { keep: true, publicOnly: true });
    await expect(refused, host).rejects.toThrow(NotPublic);
  }
  expect(sockets.size).toBe(1);
});

test('returns redirects, and the error of a name that does not resolve', async () => {
  const { port } = await serve((_, response) => void response.writeHead(302, { location: '/other' }).end());
  const answer = await send(`http://127.0.0.1:${port}/?a=b`, {});
  expect([answer.status, answer.headers.location]).toEqual([302, '/other']);
  await expect(send('http://name.invalid/', { publicOnly: true })).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
});

test('tells a closed idle connection from one that was closed at its first request', async () => {
  let breaks = true;
  const { port } = await serve((request, response) =>
    breaks ? void request.socket.resetAndDestroy() : void response.end('ok'),
  );
  const url = `http://127.0.0.1:${port}/`;
  const first = await send(url, { keep: true }).catch(error => error);
  expect(first).not.toBeInstanceOf(KeptConnectionClosed);
  expect(first).toMatchObject({ code: 'ECONNRESET' });
  breaks = false;
  await textAt(url);
  breaks = true;
  await expect(send(url, { keep: true })).rejects.toThrow(KeptConnectionClosed);
});

test('ends with its signal, before and after the beginning of the response', async () => {
  const { port } = await serve((_, response) => void response.write('begun'));
  const url = `http://127.0.0.1:${port}/`;
  await expect(send(url, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  const stop = new AbortController();
  const answer = await send(url, { signal: stop.signal });
  stop.abort();
  await expect(readAtMost(answer, 100)).rejects.toThrow('aborted');
  const begun = await sendFetch(url, { signal: AbortSignal.timeout(50) });
  await expect(begun.text()).rejects.toThrow('aborted');
});

test('sends the bodies of fetch whole, and passes answers on', async () => {
  const { port } = await serve((request, response) => {
    const { 'content-type': type = '', 'content-length': length = '' } = request.headers;
    response.writeHead(request.url === '/empty' ? 204 : 500, 'Odd', { 'x-seen': type, 'x-length': length });
    request.pipe(response);
  });
  const body = new FormData();
  body.set('name', 'value');
  const answer = await sendFetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
  const text = await answer.text();
  expect(text).toContain('name="name"\r\n\r\nvalue\r\n');
  expect([answer.status, answer.statusText]).toEqual([500, 'Odd']);
  expect(answer.headers.get('x-seen')).toMatch(/^multipart\/form-data/);
  expect(answer.headers.get('x-length')).toBe(`${text.length}`);
  const empty = await sendFetch(`http://127.0.0.1:${port}/empty`);
  expect([empty.status, empty.body]).toEqual([204, null]);
});

test('an unread response may break, and a read one is cut', async () => {
  const { port } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x'.repeat(50));
    setImmediate(() => response.destroy());
  });
  const url = `http://127.0.0.1:${port}/`;
  await send(url, {});
  (await send(url, {})).body.destroy();
  await sleep(20);
  expect((await readAtMost(await send(url, {}), 10)).length).toBe(11);
  await expect(readAtMost(await send(url, {}), 100)).rejects.toThrow('aborted');
});
