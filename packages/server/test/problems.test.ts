/** Problems, bodies, ignored fields and the log, over real HTTP. */
import { connect } from 'node:net';
import { Problem } from '@chat-kernel/protocol';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ignoredFields } from '../src/http/body.ts';
import { type Line, startTestApp } from './test-app.ts';

let app: FastifyInstance;
let url: string;
let lines: Line[];
beforeAll(async () => {
  ({ app, url, lines } = await startTestApp());
});
afterAll(() => app.close());
beforeEach(() => {
  lines.length = 0;
});

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${url}/v1/notes`, { method: 'POST', body, headers });
/** Checks what all problems have in common. */
async function problem(answer: Response | Promise<Response>): Promise<Problem> {
  const response = await answer;
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const body = Problem.parse(await response.json());
  expect(body.status).toBe(response.status);
  expect(body.type).toBe(`/apidocs/errors#${body.code}`);
  expect(body.request_id).toBe(response.headers.get('x-request-id'));
  return body;
}

describe('bodies [TURN-9]', () => {
  it('refuses what is not JSON with 422', async () => {
    for (const body of ['{', 'text', '{"text": "a"', '', new Uint8Array([0x22, 0xff, 0x22])]) {
      expect(await problem(post(body))).toMatchObject({ status: 422, code: 'not_json' });
    }
  });

  it('refuses what does not fit the schema with 422 and says where', async () => {
    const body = { text: 1, tags: [{ name: 'a' }, { name: null }] };
    expect(await problem(post(JSON.stringify(body)))).toMatchObject({
      status: 422,
      code: 'schema_mismatch',
      errors: [
        { pointer: '/text', detail: expect.stringContaining('expected string') },
        { pointer: '/tags/1/name', detail: expect.stringContaining('expected string') },
      ],
    });
    expect(await problem(post('[]'))).toMatchObject({ code: 'schema_mismatch', errors: [{ pointer: '' }] });
  });

  it('does not list faults without end', async () => {
    const { errors } = await problem(post(JSON.stringify({ text: 'a', tags: Array(1000).fill(1) })));
    expect(errors).toHaveLength(50);
  });

  it('takes application/json alone, whatever the parameters', async () => {
    expect((await post('{"text":"a"}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
      201,
    );
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
    ]) {
      expect(await problem(post('{"text":"a"}', { 'content-type': type }))).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
      });
    }
    // A body of bytes is sent without a Content-Type.
    expect(await problem(post(new TextEncoder().encode('{"text":"a"}'), {}))).toMatchObject({ status: 415 });
  });

  it('refuses more than 64 MiB with 413', async () => {
    const answer = await speak(
      'POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 67108865\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"body_too_large"');
  });

  it('takes the rest of such a body in, so that who is still sending it gets the answer', async () => {
    const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length:';
    const next = 'GET /v1/nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answer = await speak(
      `POST /v1/notes HTTP/1.1\r\n${head} 67108865\r\n\r\n${' '.repeat(67_108_865)}${next}`,
      '"code":"not_found"',
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404']);
  });

  it('needs no body where the route has none, even with its type named', async () => {
    const id = crypto.randomUUID();
    const answer = await fetch(`${url}/v1/notes/${id}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(204);
  });
});

describe('addresses and queries', () => {
  it('answers 404 to an address that is none, and to an id that can be none', async () => {
    expect(await problem(fetch(`${url}/v1/nowhere`))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await problem(fetch(`${url}/v1/notes/no-uuid`, { method: 'DELETE' }))).toMatchObject({
      code: 'not_found',
    });
    expect(await problem(fetch(`${url}/v1/notes/%zz`, { method: 'DELETE' }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('names the methods of an address where only the method is wrong', async () => {
    const answer = await fetch(`${url}/v1/notes?limit=3`, { method: 'PATCH' });
    expect(answer.headers.get('allow')).toBe('POST, GET');
    expect(await problem(answer)).toMatchObject({
      code: 'not_found',
      detail: 'PATCH is not possible here; possible: POST, GET.',
    });
  });

  it('answers 400 to a query value that is not allowed, and to a malformed cursor [MSG-4]', async () => {
    for (const limit of ['0', '501', 'x', '1.5', '']) {
      expect(await problem(fetch(`${url}/v1/notes?limit=${limit}`))).toMatchObject({
        status: 400,
        code: 'invalid_value',
      });
    }
    expect(await problem(fetch(`${url}/v1/notes?before=x`))).toMatchObject({
      status: 400,
      code: 'malformed_cursor',
    });
    expect(await (await fetch(`${url}/v1/notes`)).json()).toEqual({ limit: 50 });
    expect(await (await fetch(`${url}/v1/notes?limit=500`)).json()).toEqual({ limit: 500 });
  });

  it('answers HEAD as GET without a body', async () => {
    const answer = await fetch(`${url}/v1/notes`, { method: 'HEAD' });
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: '' });
  });
});

describe('unexpected errors', () => {
  it('shows nothing of an inner failure and logs all of it', async () => {
    const answer = await problem(fetch(`${url}/v1/broken`));
    expect(answer).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(answer)).not.toContain('inner text');
    const [line] = lines.filter(({ level }) => level === 'error');
    expect(line?.facts).toMatchObject({ request_id: answer.request_id, route: '/v1/broken' });
    expect(line?.facts.err).toHaveProperty('message', 'inner text of the failure');
  });

  it('answers a problem to what is no HTTP', async () => {
    const answer = await speak('this is no request\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json\r\n/);
  });
});

describe('X-Ignored-Fields', () => {
  it('names the fields of the body that were not understood', async () => {
    const body = { text: 'a', txet: 1, tags: [{ name: 'a', 'colour/ü,': 2 }], extra: { any: { thing: 1 } } };
    const answer = await post(JSON.stringify(body));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('/txet,/tags/0/colour~1%C3%BC%2C');
    expect(await answer.json()).toEqual({ text: 'a', tags: [{ name: 'a' }], extra: { any: { thing: 1 } } });
  });

  it('is absent where everything was understood', async () => {
    const answer = await post('{"text":"a"}');
    expect(answer.headers.has('x-ignored-fields')).toBe(false);
  });

  it('stays short, and says that there is more', () => {
    const sent = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
    const header = ignoredFields(sent, {})!;
    expect(header.length).toBeLessThanOrEqual(1004);
    expect(header).toMatch(/^\/field0,\/field1,.*,\.\.\.$/);
    expect(ignoredFields({ ['x'.repeat(2000)]: 1 }, {})).toBe('...');
  });

  it('takes a field named __proto__ for what it is: unknown', async () => {
    const answer = await post('{"text":"a","__proto__":{"polluted":true}}');
    expect(answer.headers.get('x-ignored-fields')).toBe('/__proto__');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('names half a character as what stands for none', async () => {
    const answer = await post('{"text":"a","\\ud800":1}');
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([201, '/%EF%BF%BD']);
  });
});

describe('the log', () => {
  it('has one line a request: the pattern of the route, never what a query or a body says', async () => {
    const answer = await fetch(`${url}/v1/notes?limit=7&q=secret-words`, {
      headers: { authorization: 'secret-token' },
    });
    await post('{"text":"secret-text"}');
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toEqual({
      level: 'info',
      sentence: 'request',
      facts: {
        method: 'GET',
        route: '/v1/notes',
        status: 200,
        ms: expect.any(Number),
        request_id: answer.headers.get('x-request-id'),
      },
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('gives every request an id of its own and trusts none from outside', async () => {
    const headers = { 'x-request-id': 'mine' };
    const ids = await Promise.all(
      [1, 2].map(async () => (await fetch(`${url}/v1/notes`, { headers })).headers.get('x-request-id')),
    );
    expect(new Set([...ids, 'mine']).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

/** Sends bytes as they are. Returns what came back until the other side closed, or until `last` was in it. */
function speak(text: string, last = '\r\n\r\n{'): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', piece => {
      got += piece;
      if (got.includes(last)) socket.destroy();
    });
    socket.on('close', () => resolve(got)).on('error', reject);
  });
}
