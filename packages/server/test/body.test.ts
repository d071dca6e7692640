/** Tests from which size a body is parsed in steps: only then the length of names is limited. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp } from './test-app.ts';

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startTestApp());
});
afterAll(() => app.close());

const LIMIT = 256 * 1024;
const LONG_NAME = 'x'.repeat(10_001);

it.each([
  [LIMIT, { status: 201, ignored: '...' }],
  [LIMIT + 1, { status: 400, ignored: null }],
])('[SAFE-7] parses a body of %i bytes at once or in steps', async (size, expected) => {
  const json = JSON.stringify({ text: 'a', [LONG_NAME]: 1 });
  const body = json + ' '.repeat(size - json.length);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/notes`, { method: 'POST', body, headers });
  await answer.text();
  expect({ status: answer.status, ignored: answer.headers.get('x-ignored-fields') }).toEqual(expected);
});
