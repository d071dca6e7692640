/** Tests the shipped proxies from outside: TLS and HTTP/2, streams over them, and uploads of the maximum size. */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EventStream } from '../harness/event-stream.ts';
import { bytesOf } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PATIENT } from '../harness/patient.ts';
import { type Http2Client, openHttp2 } from './http2.ts';
import { expectOneByOne } from './pace.ts';
import { caddy, missing, nginx, type RunningProxy, TOKEN } from './proxies.ts';

/** The default limit of a file. */
const MAX_BYTES = 104_857_600;
const MIB = 1_048_576;
const token = { 'x-service-token': TOKEN };

for (const kind of [nginx, caddy]) {
  const why = missing(kind.name) || missing('openssl');
  describe.skipIf(why)(`${kind.name}${why ? ` (${why})` : ''}`, () => {
    let kernel: TestKernel;
    let proxy: RunningProxy;
    let client: Http2Client;
    beforeAll(async () => {
      kernel = await startKernel({
        settings: { files: { max_bytes: kind === nginx ? MAX_BYTES : 8 * MIB } },
      });
      proxy = await kind.start(kernel.url);
      // Caddy signs its certificate while it already responds over HTTP.
      client = await vi.waitFor(() => openHttp2(proxy.tls), { timeout: 30_000, interval: 100 });
    });
    afterAll(async () => {
      client?.close();
      await proxy?.stop();
      await kernel?.stop();
    });

    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await jsonOf(await client.ask(path, { method: 'GET', headers }))).status;

    test('[AUTH-3] accepts HTTP/2 over TLS only from clients that trust its certificate', async () => {
      expect(client.protocol).toBe('h2');
      await expect(openHttp2({ ...proxy.tls, ca: '' })).rejects.toThrow(/certificate|issuer/);
    });

    test('[AUTH-2] [AUTH-3] requires the token over TLS', async () => {
      expect(await statusOf('/v1/chats', {})).toBe(401);
      expect(await statusOf('/v1/chats', { 'x-service-token': 'wrong' })).toBe(401);
      expect(await statusOf('/v1/chats', token)).toBe(200);
      expect(await statusOf('/v1/openapi.json', {})).toBe(200);
    });

    test('[AUTH-3] tells browsers over TLS, and only there, to use nothing else', async () => {
      for (const headers of [token, {}]) {
        const answer = await client.ask('/v1/chats', { method: 'GET', headers });
        await bytesOf(answer);
        expect(answer.headers['strict-transport-security']).toBe('max-age=63072000');
        const plain = await fetch(`${proxy.url}/v1/chats`, { headers });
        expect(plain.headers.has('strict-transport-security')).toBe(false);
      }
    });

    test('[AUTH-3] forwards events one by one over HTTP/2', async () => {
      const document = await kernel.api.document();
      await expectOneByOne(kernel, `${kind.name} (HTTP/2)`, async chatId => {
        const answer = await client.ask(`/v1/chats/${chatId}/messages`, {
          method: 'POST',
          headers: { ...token, 'content-type': 'application/json' },
          body: JSON.stringify({ text: 'Hi.' }),
        });
        expect(answer.headers['content-type']).toBe('text/event-stream');
        return new EventStream(answer, document);
      });
    });

    // Such a large file takes a slow machine minutes, so only one of the two proxies transfers it.
    const largest = kind === nginx ? MAX_BYTES : 8 * MIB;
    test(
      `[AUTH-3] [FILE-2] forwards a file of ${largest / MIB} MiB, and the kernel rejects one byte more than the limit`,
      PATIENT,
      async () => {
        const bytes = Buffer.alloc(largest + 1, 'some bytes ');
        const upload = async (body: Buffer) =>
          jsonOf(
            await client.ask('/v1/files', {
              method: 'POST',
              headers: { ...token, 'content-length': `${body.length}` },
              body,
            }),
          );
        const { status, body } = await upload(bytes.subarray(1));
        expect({ status, size: body.size }).toEqual({ status: 201, size: largest });
        const back = await bytesOf(await client.ask(`/files/${body.id}`, { method: 'GET' }));
        expect(back.equals(bytes.subarray(1))).toBe(true);

        const refused = await upload(bytes);
        expect(refused).toMatchObject({ status: 413, type: 'application/problem+json' });
        // From the kernel, which gives its responses an id.
        expect(refused.body).toMatchObject({ code: 'body_too_large', request_id: refused.request_id });
      },
    );

    test.each([
      ['/v1/files', 102 * MIB],
      ['/v1/chats', 66 * MIB],
    ])('[AUTH-3] returns a problem for a body of %s above the limit of the proxy', async (path, size) => {
      const refused = await jsonOf(
        await client.ask(path, {
          method: 'POST',
          headers: { ...token, 'content-type': 'application/json', 'content-length': `${size}` },
          body: Buffer.alloc(size, ' '),
        }),
      );
      expect(refused).toMatchObject({ status: 413, type: 'application/problem+json', body: { status: 413 } });
    });
  });
}

async function jsonOf(answer: IncomingMessage) {
  const { statusCode, headers } = answer;
  return {
    status: statusCode,
    type: headers['content-type']?.split(';')[0],
    request_id: headers['x-request-id'],
    body: JSON.parse(`${await bytesOf(answer)}`),
  };
}
