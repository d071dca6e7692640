/** The named calls, held against the document: each reaches its operation, and those that are absent are listed here. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KernelClient } from '../src/index.ts';

interface DocumentOperation {
  operationId: string;
  parameters?: { in: string }[];
  requestBody?: object;
}
const document: { paths: Record<string, Record<string, DocumentOperation>> } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...operation,
  })),
);

const requests: { url: URL; init: RequestInit }[] = [];
const record = async (url: URL, init: RequestInit) => {
  requests.push({ url, init });
  return Response.json({});
};
const client = new KernelClient({ url: 'http://kernel.test', fetch: record as typeof fetch });
const calls = client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;

it('[SVC-3] every operation has a call of its name, but for streams and uploads', () => {
  const absent = operations.filter(({ operationId }) => typeof calls[operationId] !== 'function');
  expect(absent.map(({ operationId }) => operationId)).toEqual([
    'startTurn',
    'watchChat',
    'watchKernel',
    'standBy',
    'importSubscriptions',
  ]);
});

/** Calls with bytes, which their own tests hold. */
const TAKES_BYTES = ['uploadFile', 'transcribe'];

it.each(
  operations.filter(({ operationId }) => !TAKES_BYTES.includes(operationId) && operationId in calls),
)('[SVC-3] $operationId goes to $method $path with all that it is given', async operation => {
  const { operationId, method, path, parameters = [], requestBody } = operation;
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const hasQuery = parameters.some(parameter => parameter.in === 'query');
  await calls[operationId]?.(
    ...names.map((_, index) => `a/${index}`),
    ...(requestBody ? [{ title: 'Tea' }] : []),
    ...(hasQuery ? [{ limit: 3, shelf: undefined, force: true }] : []),
    { headers: { 'x-test': operationId } },
  );
  const { url, init } = requests.at(-1)!;
  const filled = names.reduce((text, name, index) => text.replace(name, `a%2F${index}`), path);
  expect([init.method, url.pathname]).toEqual([method, filled]);
  expect(init.body).toBe(requestBody && '{"title":"Tea"}');
  expect(url.search).toBe(hasQuery ? '?limit=3&force=true' : '');
  expect(init.headers).toMatchObject({ 'x-test': operationId });
});

it('[CHAT-5] a body and a query may be left out', async () => {
  await client.createChat();
  expect(requests.at(-1)?.init.body).toBe('{}');
  await client.deleteChat('id');
  expect(requests.at(-1)?.url.search).toBe('');
});
