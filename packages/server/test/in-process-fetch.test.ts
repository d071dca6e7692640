/** Tests the fetch with which faces call the kernel: it behaves like a socket. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProcessFetch } from '../src/faces/in-process-fetch.ts';

const ADDRESS = 'http://127.0.0.1:9';
const app = fastify();
const ownFetch = inProcessFetch(app.server);
const post = (path: string, init: RequestInit = {}) =>
  ownFetch(new URL(ADDRESS + path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    ...init,
  });

/** Open replies, by the address of their request. */
const open = new Map<string, FastifyReply>();
const opened = async (path: string) => {
  await expect.poll(() => open.has(path)).toBe(true);
  const { raw } = open.get(path)!;
  return { raw, closed: () => expect.poll(() => raw.destroyed).toBe(true) };
};

beforeAll(async () => {
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.all('/echo', async ({ method, headers, body, query }, reply) => {
    reply.code(201).header('x-many', ['a', 'b']);
    return { method, headers, body, query };
  });
  app.post('/bytes', async ({ raw }) => {
    const pieces = await Array.fromAsync(raw as AsyncIterable<Buffer>);
    return Buffer.concat(pieces).toString();
  });
  app.delete('/nothing', async (_, reply) => reply.code(204).send());
  app.post('/held/*', ({ url }, reply) => {
    open.set(url, reply);
    reply.hijack();
  });
  await app.ready();
});
afterAll(() => app.close());

test('sends method, address, headers and body, and returns status, headers and body', async () => {
  const answer = await post('/echo?q=%C3%A4');
  expect([answer.status, answer.headers.get('x-many')]).toEqual([201, 'a, b']);
  expect(await answer.json()).toMatchObject({
    method: 'POST',
    headers: { host: '127.0.0.1:9', 'content-type': 'application/json', 'content-length': '7' },
    body: { a: 1 },
    query: { q: 'ä' },
  });
  expect(await (await ownFetch(`${ADDRESS}/echo`)).json()).toMatchObject({ method: 'GET' });
});

test('returns a response without a body', async () => {
  const answer = await ownFetch(`${ADDRESS}/nothing`, { method: 'DELETE' });
  expect([answer.status, answer.body]).toEqual([204, null]);
});

test.each([
  ['bytes', () => new TextEncoder().encode('one two')],
  ['a blob', () => new Blob(['one ', 'two'])],
  ['a stream', () => new Blob(['one two']).stream()],
])('sends %s', async (_, body) => {
  const answer = await post('/bytes', { body: body(), headers: { 'content-type': 'audio/wav' } });
  expect(await answer.text()).toBe('one two');
});

test('returns the headers before the end, and each piece when it is written', async () => {
  const asked = post('/held/pieces');
  const { raw } = await opened('/held/pieces');
  raw.writeHead(200, { 'content-type': 'text/event-stream' });
  raw.write('retry: 1000\n');
  const answer = await asked;
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader.read()).toEqual({ done: false, value: 'retry: 1000\n' });
  raw.write('data: 1\n\n');
  expect(await reader.read()).toEqual({ done: false, value: 'data: 1\n\n' });
  raw.end();
  expect((await reader.read()).done).toBe(true);
});

test('pauses the server while the body is unread', async () => {
  const asked = post('/held/flood');
  const { raw } = await opened('/held/flood');
  const piece = 'x'.repeat(100_000);
  let written = 0;
  const write = () => {
    while (written < 100) {
      written++;
      if (!raw.write(piece)) return void raw.once('drain', write);
    }
    raw.end();
  };
  raw.writeHead(200);
  write();
  const answer = await asked;
  await pause(50);
  expect(written).toBeLessThan(10);
  expect(await answer.text()).toHaveLength(100 * piece.length);
});

test('closes the connection when the caller aborts before the headers', async () => {
  const gone = new AbortController();
  const asked = post('/held/before', { signal: gone.signal });
  const { closed } = await opened('/held/before');
  gone.abort();
  await expect(asked).rejects.toThrow('aborted');
  await closed();
});

test('closes the connection when the caller aborts or cancels the body', async () => {
  const gone = new AbortController();
  const aborted = post('/held/aborted', { signal: gone.signal });
  const cancelled = post('/held/cancelled');
  for (const path of ['/held/aborted', '/held/cancelled']) (await opened(path)).raw.writeHead(200).write('x');
  const reading = (await aborted).text();
  gone.abort();
  await expect(reading).rejects.toThrow('aborted');
  await (await opened('/held/aborted')).closed();
  await (await cancelled).body!.cancel();
  await (await opened('/held/cancelled')).closed();
});

test('fails when the server destroys the connection', async () => {
  const before = post('/held/destroyed');
  (await opened('/held/destroyed')).raw.destroy();
  await expect(before).rejects.toThrow();
  const within = post('/held/cut');
  const { raw } = await opened('/held/cut');
  raw.writeHead(200).write('x');
  const reading = (await within).text();
  raw.destroy();
  await expect(reading).rejects.toThrow();
});

test('sends nothing for an aborted signal', async () => {
  await expect(post('/held/never', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(open.has('/held/never')).toBe(false);
});
