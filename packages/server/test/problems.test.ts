/** Tests problems, bodies, ignored fields and the log, over real HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Problem } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ignoredFields } from '../src/http/body.ts';
import { takeProblem } from '../src/http/problems.ts';
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
  it('rejects a body that is not JSON with 422', async () => {
    for (const body of ['{', 'text', '{"text": "a"', '', new Uint8Array([0x22, 0xff, 0x22])]) {
      expect(await problem(post(body))).toMatchObject({ status: 422, code: 'not_json' });
    }
  });

  it('rejects a body that does not match the schema with 422 and the field', async () => {
    const body = { text: 1, tags: [{ name: 'a' }, { name: null }] };
    expect(await problem(post(JSON.stringify(body)))).toMatchObject({
      status: 422,
      code: 'schema_mismatch',
      detail: expect.stringMatching(/^The body is invalid\. text: /),
      errors: [
        { pointer: '/text', detail: expect.stringContaining('expected string') },
        { pointer: '/tags/1/name', detail: expect.stringContaining('expected string') },
      ],
    });
    expect(await problem(post('[]'))).toMatchObject({
      code: 'schema_mismatch',
      detail: expect.stringMatching(/^The body is invalid\. It: /),
      errors: [{ pointer: '' }],
    });
  });

  it('limits the number of listed faults', async () => {
    const { errors } = await problem(post(JSON.stringify({ text: 'a', tags: Array(1000).fill(1) })));
    expect(errors).toHaveLength(50);
  });

  it('accepts application/json only, with any parameters', async () => {
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

  it('rejects more than 64 MiB with 413', async () => {
    const answer = await speak(
      'POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 67108865\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"body_too_large"');
  });

  it('reads the rest of a rejected body, so that the client receives the response', async () => {
    const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length:';
    const next = 'GET /v1/nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answer = await speak(
      `POST /v1/notes HTTP/1.1\r\n${head} 67108865\r\n\r\n${' '.repeat(67_108_865)}${next}`,
      '"code":"not_found"',
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404']);
  });

  it('reads the rest of a rejected body also if the request closes the connection, and closes it then', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', text => {
      answer += text;
    });
    const head = 'Host: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length:';
    socket.write(`POST /v1/notes HTTP/1.1\r\n${head} 67108865\r\n\r\n${' '.repeat(8_865)}`);
    await expect.poll(() => answer).toContain('"code":"body_too_large"');
    // In pieces, as a client on a slow network sends it: a closed connection would refuse the second.
    for (let piece = 0; piece < 671; piece++)
      await new Promise<void>((resolve, reject) =>
        socket.write(' '.repeat(100_000), error => (error ? reject(error) : resolve())),
      );
    await once(socket, 'end');
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
  });

  it('requires no body on a route without one, even with its content type', async () => {
    const id = crypto.randomUUID();
    const answer = await fetch(`${url}/v1/notes/${id}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(204);
  });
});

describe('addresses and queries', () => {
  it('returns 404 for an unknown path, and for a malformed id', async () => {
    expect(await problem(fetch(`${url}/v1/nowhere`))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await problem(fetch(`${url}/v1/notes/no-uuid`, { method: 'DELETE' }))).toMatchObject({
      code: 'not_found',
    });
    expect(await problem(fetch(`${url}/v1/notes/%zz`, { method: 'DELETE' }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('lists the methods of a path if only the method is wrong', async () => {
    const answer = await fetch(`${url}/v1/notes?limit=3`, { method: 'PATCH' });
    expect(answer.headers.get('allow')).toBe('POST, GET');
    expect(await problem(answer)).toMatchObject({
      code: 'not_found',
      detail: 'PATCH is not allowed for this path. Allowed: POST, GET.',
    });
  });

  it('returns 400 for an invalid query value, and for a malformed cursor [MSG-4]', async () => {
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

  it('answers HEAD like GET without a body', async () => {
    const answer = await fetch(`${url}/v1/notes`, { method: 'HEAD' });
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: '' });
  });
});

describe('unexpected errors', () => {
  it('hides internal failures and logs them completely', async () => {
    const answer = await problem(fetch(`${url}/v1/broken`));
    expect(answer).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(answer)).not.toContain('inner text');
    const [line] = lines.filter(({ level }) => level === 'error');
    expect(line?.facts).toMatchObject({ request_id: answer.request_id, route: '/v1/broken' });
    expect(line?.facts.err).toHaveProperty('message', 'inner text of the failure');
  });

  it.each([
    [{ statusCode: 400, message: 'wrong' }, 400, 'invalid_value', undefined],
    [{ statusCode: 499, message: 'wrong' }, 400, 'invalid_value', undefined],
    [{ statusCode: 399, message: 'wrong' }, 500, 'internal', undefined],
    [{ statusCode: 500, message: 'wrong' }, 500, 'internal', undefined],
    [{ code: 'not_found', message: 'wrong' }, 404, 'not_found', undefined],
    [{ code: 'storage_unavailable', message: 'wrong' }, 503, 'storage_unavailable', '5'],
    [{ code: 'upstream_error', message: 'wrong' }, 502, 'upstream_error', '5'],
    [{ code: 'fenced' }, 503, 'kernel_away', '5'],
    [{ code: 'FST_ERR_CTP_INVALID_JSON_BODY', statusCode: 400 }, 422, 'not_json', undefined],
    [{ code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH', statusCode: 400 }, 422, 'not_json', undefined],
    [{ code: 'toString' }, 500, 'internal', undefined],
  ])('are only those without a code of the catalog or a status of the client: %o', (error, ...wanted) => {
    const { status, code, headers } = problemOf(error);
    expect([status, code, headers['retry-after']]).toEqual(wanted);
  });

  it('keeps the message of Fastify about the request', () => {
    expect(problemOf({ statusCode: 400, message: 'wrong' }).detail).toBe('wrong');
    expect(problemOf({ statusCode: 400 }).detail).toBe('The request is malformed.');
  });

  it('returns a problem for malformed HTTP', async () => {
    const answer = await speak('this is no request\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json\r\n/);
  });
});

describe('X-Ignored-Fields', () => {
  it('lists the unknown fields of the body', async () => {
    const body = { text: 'a', txet: 1, tags: [{ name: 'a', 'colour/ü,': 2 }], extra: { any: { thing: 1 } } };
    const answer = await post(JSON.stringify(body));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('/txet,/tags/0/colour~1%C3%BC%2C');
    expect(await answer.json()).toEqual({ text: 'a', tags: [{ name: 'a' }], extra: { any: { thing: 1 } } });
  });

  it('is absent if all fields are known', async () => {
    const answer = await post('{"text":"a"}');
    expect(answer.headers.has('x-ignored-fields')).toBe(false);
  });

  it('stays short, and marks omitted fields', () => {
    const sent = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
    const header = ignoredFields(sent, {})!;
    expect(header.length).toBeLessThanOrEqual(1004);
    expect(header).toMatch(/^\/field0,\/field1,.*,\.\.\.$/);
    expect(ignoredFields({ ['x'.repeat(2000)]: 1 }, {})).toBe('...');
  });

  it('treats a field named __proto__ as unknown', async () => {
    const answer = await post('{"text":"a","__proto__":{"polluted":true}}');
    expect(answer.headers.get('x-ignored-fields')).toBe('/__proto__');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('replaces half a character in a field name', async () => {
    const answer = await post('{"text":"a","\\ud800":1}');
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([201, '/%EF%BF%BD']);
  });
});

describe('the log', () => {
  it('has one line per request, with the pattern of the route and without query or body', async () => {
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

  it('gives every request its own id and ignores ids of clients', async () => {
    const headers = { 'x-request-id': 'mine' };
    const ids = await Promise.all(
      [1, 2].map(async () => (await fetch(`${url}/v1/notes`, { headers })).headers.get('x-request-id')),
    );
    expect(new Set([...ids, 'mine']).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

/** The problem for an error, and the headers of its response. */
function problemOf(error: object) {
  const headers: Record<string, string> = {};
  const request = { id: 'r', raw: { complete: true }, routeOptions: {} } as FastifyRequest;
  const header = (name: string, value: string) => Object.assign(headers, { [name]: value });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return { ...takeProblem(error, request, { header } as unknown as FastifyReply, log), headers };
}

/** Sends raw bytes. Returns the data that came back until the other side closed, or until it contained `last`. */
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
