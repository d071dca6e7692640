/** Tests the compression of JSON responses: which are compressed, how, and their headers. */
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, exchange } from '../../../test/harness/http.ts';
import { compressJson, findEncoding } from '../src/http/compression.ts';

const LONG = { text: 'An answer. '.repeat(200) };
const TEXT = JSON.stringify(LONG);

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  app = fastify();
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('vary', 'Origin');
    done();
  });
  compressJson(app);
  app.get('/long', async () => LONG);
  app.get('/short', async () => ({ text: 'x'.repeat(1000) }));
  app.get('/umlauts', async () => ({ text: 'ä'.repeat(600) }));
  app.get('/problem', async (_request, reply) =>
    reply.code(422).type('application/problem+json').header('content-length', TEXT.length).send(TEXT),
  );
  app.get('/page', async (_request, reply) => reply.type('text/html').send(`<p>${TEXT}</p>`));
  app.get('/stream', async (_request, reply) => reply.type('application/json').send(Readable.from([TEXT])));
  app.get('/bytes', async (_request, reply) => reply.type('application/json').send(Buffer.from(TEXT)));
  app.get('/tagged', async (_request, reply) => reply.header('etag', '"1"').send(LONG));
  app.get('/encoded', async (_request, reply) => reply.header('content-encoding', 'x-own').send(LONG));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

async function ask(path: string, accepted?: string, method = 'GET') {
  const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const answer = await exchange(url + path, { method, headers });
  const { 'content-encoding': encoding, vary, 'content-length': length } = answer.headers;
  return { status: answer.statusCode, encoding, vary, length, body: await bytesOf(answer) };
}

describe('JSON responses', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('are compressed with %s from 1 KB on', async (encoding, decompress) => {
    const long = await ask('/long', encoding);
    expect(long).toMatchObject({ status: 200, encoding, vary: 'Origin, Accept-Encoding' });
    expect(decompress(long.body).toString()).toBe(TEXT);
    expect(long.length).toBe(String(long.body.length));
    expect(long.body.length).toBeLessThan(TEXT.length / 4);
    expect(await ask('/short', encoding)).toMatchObject({ encoding: undefined, vary: 'Origin' });
    // Bytes count, not characters.
    expect(decompress((await ask('/umlauts', encoding)).body).toString()).toContain('ä'.repeat(600));
  });

  it('are compressed if they are problems', async () => {
    const { status, encoding, body, length } = await ask('/problem', 'gzip');
    expect([status, encoding, length]).toEqual([422, 'gzip', String(body.length)]);
    expect(gunzipSync(body).toString()).toBe(TEXT);
  });

  it('are plain for clients that accept no encoding', async () => {
    for (const accepted of [undefined, 'identity', 'deflate', 'gzip;q=0']) {
      const { encoding, vary, body } = await ask('/long', accepted);
      expect([encoding, vary, body.toString()]).toEqual([undefined, 'Origin, Accept-Encoding', TEXT]);
    }
  });

  it('have the same headers for HEAD, without a body', async () => {
    const got = await ask('/long', 'gzip');
    expect(await ask('/long', 'gzip', 'HEAD')).toEqual({ ...got, body: Buffer.alloc(0) });
  });

  it('stay as they are if their bytes are fixed: streams, bytes, with an ETag, or encoded', async () => {
    for (const path of ['/stream', '/bytes', '/tagged']) {
      const { encoding, body } = await ask(path, 'br, gzip');
      expect([path, encoding, body.toString()]).toEqual([path, undefined, TEXT]);
    }
    expect(await ask('/encoded', 'br, gzip')).toMatchObject({ encoding: 'x-own', body: Buffer.from(TEXT) });
  });
});

it('does not compress other types', async () => {
  expect(await ask('/page', 'br, gzip')).toMatchObject({ encoding: undefined, vary: 'Origin' });
});

it('selects the encoding that the client prefers', () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip, br;q=1', 'br'],
    ['br ; Q=0.5 ; x=1, gzip;q=0.4', 'br'],
    ['br;x=9;q=0.4, gzip;q=0.5', 'gzip'],
    ['gzip;q=0.8, br;q=0.5', 'gzip'],
    ['br;q=0', undefined],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=none', undefined],
    ['*', undefined],
    ['brotli, xgzip', undefined],
    ['', undefined],
  ] as const)
    expect([accepted, findEncoding(accepted)]).toEqual([accepted, encoding]);
});
