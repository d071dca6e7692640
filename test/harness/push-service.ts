/**
 * A push service with its browsers: a real server that decrypts what it receives with http_ece, as a browser does. That
 * library also encrypts for the kernel, so a test checks this half of it against the example of RFC 8291.
 */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushNotification } from '@chat-kernel/protocol';
import ece from 'http_ece';
import { onTestFinished } from 'vitest';

/** A message as received. */
interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}

/** A browser that has requested an endpoint from this service. */
export interface Browser {
  /** In the form of PushSubscription.toJSON() in a browser. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** The decrypted messages that it received. */
  words(): PushNotification[];
}

export interface PushService {
  url: string;
  received: Pushed[];
  /** The statuses of the next responses; after them 201. */
  answers: number[];
  browser(): Browser;
}

/** Runs until the end of the test. @param tls certificate for https */
export async function startPushService(tls?: { cert: Buffer; key: Buffer }): Promise<PushService> {
  const received: Pushed[] = [];
  const answers: number[] = [];
  const server: Server = tls ? createSecureServer(tls) : createServer();
  server.on('request', async (request, response) => {
    const body = await buffer(request);
    received.push({ path: request.url ?? '', headers: request.headers, body, at: Date.now() });
    response.writeHead(answers.shift() ?? 201).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  return {
    url,
    received,
    answers,
    browser() {
      const privateKey = createECDH('prime256v1');
      privateKey.generateKeys();
      const authSecret = randomBytes(16).toString('base64url');
      const path = `/push/${randomBytes(12).toString('base64url')}`;
      return {
        subscription: {
          endpoint: url + path,
          keys: { p256dh: privateKey.getPublicKey('base64url'), auth: authSecret },
        },
        words: () =>
          received
            .filter(pushed => pushed.path === path)
            .map(({ body }) =>
              JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret }).toString()),
            ),
      };
    },
  };
}

/** Returns the claims of the token of a message. Throws if the key of the kernel did not sign it (RFC 8292). */
export function claimsOf({ headers }: Pushed, publicKey: string): Record<string, unknown> {
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error(`the key is ${key}`);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x as string, y: y as string };
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}
