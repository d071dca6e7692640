/** The shipped proxies as the world sees them: TLS and HTTP/2, streams in them, and uploads as large as they may be. */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventStream } from '../harness/event-stream.ts';
import { bytesOf } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { type Http2Client, openHttp2 } from './http2.ts';
import { expectOneByOne } from './pace.ts';
import { caddy, missing, nginx, type RunningProxy, TOKEN } from './proxies.ts';

/** The limit of a file where the settings say nothing else. */
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
      client = await openHttp2(proxy.tls);
    });
    afterAll(async () => {
      client?.close();
      await proxy?.stop();
      await kernel?.stop();
    });

    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await jsonOf(await client.ask(path, { method: 'GET', headers }))).status;

    test('[AUTH-3] speaks HTTP/2 over TLS to who trusts its certificate, and to nobody else', async () => {
      expect(client.protocol).toBe('h2');
      await expect(openHttp2({ ...proxy.tls, ca: '' })).rejects.toThrow(/certificate|issuer/);
    });

    test('[AUTH-2] [AUTH-3] asks for the token there as well', async () => {
      expect(await statusOf('/v1/chats', {})).toBe(401);
      expect(await statusOf('/v1/chats', { 'x-service-token': 'wrong' })).toBe(401);
      expect(await statusOf('/v1/chats', token)).toBe(200);
      expect(await statusOf('/v1/openapi.json', {})).toBe(200);
    });

    test('[AUTH-3] events arrive one by one over HTTP/2', async () => {
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

    // A file that large costs a slow machine minutes, so one of the two proxies has to carry it.
    const largest = kind === nginx ? MAX_BYTES : 8 * MIB;
    test(`[AUTH-3] [FILE-2] a file of ${largest / MIB} MiB goes through, and one byte more than the limit is refused by the kernel`, async () => {
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
      // By the kernel: it gives its answers an id.
      expect(refused.body).toMatchObject({ code: 'body_too_large', request_id: refused.request_id });
    });

    test.each([
      ['/v1/files', 102 * MIB],
      ['/v1/chats', 66 * MIB],
    ])('[AUTH-3] a body of %s beyond the roof of the proxy is a problem too', async (path, size) => {
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
