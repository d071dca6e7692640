/** Tests the guard over real connections: which host names and which pages the kernel accepts. */
import { request } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from './test-app.ts';

interface Answer {
  status: number | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

let app: FastifyInstance;
let port: string;
beforeAll(async () => {
  const started = await startTestApp({
    host: '10.9.8.7',
    allowed_hosts: ['kernel.lan', 'other.lan:99'],
    public_url: 'https://chat.example',
    cors_origins: ['https://pages.example'],
  });
  app = started.app;
  port = new URL(started.url).port;
});
afterAll(() => app.close());

/** fetch does not allow a test to set Host and Origin. */
function ask(headers: Record<string, string>, method = 'GET', path = '/v1/notes'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, response => {
      let body = '';
      response.setEncoding('utf8').on('data', piece => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });
}
const codeOf = ({ body }: Answer) => JSON.parse(body).code;

describe('Host [AUTH-4]', () => {
  it.each([
    'localhost',
    '127.0.0.1:1',
    'LOCALHOST:8787',
    '[::1]:8787',
    'kernel.lan',
    'Kernel.lan:5',
    'other.lan:99',
    'chat.example',
    'chat.example:443',
    // Where it listens, as modules and faces address it.
    '10.9.8.7:1',
  ])('answers requests for the host %s', async host => {
    expect((await ask({ host })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    'other.lan:98',
    'evil.example:80',
    '127.0.0.2',
    '10.0.0.1',
    '10.9.8.8',
    'localhost@evil.example',
    'evil.example/localhost',
    'localhost evil',
  ])('rejects the host "%s"', async host => {
    const answer = await ask({ host });
    expect(answer.status).toBe(403);
    expect(codeOf(answer)).toBe('forbidden_host');
  });

  it('guards unknown paths, too', async () => {
    expect(codeOf(await ask({ host: 'evil.example' }, 'GET', '/nowhere'))).toBe('forbidden_host');
  });

  it('rejects a request without a host', async () => {
    const text = await new Promise<string>(resolve => {
      let got = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /v1/notes HTTP/1.0\r\n\r\n'));
      socket.on('data', piece => {
        got += piece;
      });
      socket.on('close', () => resolve(got));
    });
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
    expect(text).toContain('forbidden_host');
  });
});

describe('Origin [AUTH-4]', () => {
  it('answers requests without an origin, and from its own pages', async () => {
    expect((await ask({ host: 'localhost:8787' })).status).toBe(200);
    expect((await ask({ host: 'localhost:8787', origin: 'http://localhost:8787' })).status).toBe(200);
    expect((await ask({ host: 'chat.example', origin: 'https://chat.example' })).status).toBe(200);
  });

  it.each([
    'https://evil.example',
    'http://localhost:3000',
    'https://localhost:8787',
    'http://127.0.0.1:8787',
    'null',
    'http://localhost:8787/',
    'https://pages.example:444',
    'https://pages.example.org',
    'file://',
    '',
  ])('rejects pages of "%s" before any effect', async origin => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await ask(
        { host: 'localhost:8787', origin, 'access-control-request-method': 'POST' },
        method,
      );
      expect(answer.status).toBe(403);
      expect(codeOf(answer)).toBe('forbidden_origin');
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('allows pages of cors_origins to read the response and its headers', async () => {
    const { status, headers } = await ask({ host: 'localhost', origin: 'https://pages.example' });
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe('https://pages.example');
    expect(headers['access-control-expose-headers']).toContain('X-Turn-Id');
    expect(headers.vary).toBe('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('answers their preflights without running the route', async () => {
    const { status, headers, body } = await ask(
      { host: 'localhost', origin: 'https://pages.example', 'access-control-request-method': 'DELETE' },
      'OPTIONS',
      '/v1/notes/x',
    );
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers['access-control-allow-methods']).toContain('DELETE');
    for (const name of ['Idempotency-Key', 'X-Client-Id', 'X-Client-Secret'])
      expect(String(headers['access-control-allow-headers']).split(', ')).toContain(name);
    expect(headers['access-control-allow-origin']).toBe('https://pages.example');
  });

  it('does not send other origins even to itself', async () => {
    const { headers } = await ask({ host: 'localhost:8787', origin: 'http://localhost:8787' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

it('sends headers with every response that restrict browsers', async () => {
  for (const path of ['/v1/notes', '/nowhere', '/v1/broken']) {
    const { headers } = await ask({ host: 'localhost' }, 'GET', path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
});
