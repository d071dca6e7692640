/** Checks the named calls against the document: each reaches its operation, and the missing ones are listed here. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KernelClient } from '../src/index.ts';

interface DocumentOperation {
  operationId: string;
  parameters?: { in: string }[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: object }> };
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

it('[SVC-3] has a named call for every operation except streams and uploads', () => {
  const absent = operations.filter(({ operationId }) => typeof calls[operationId] !== 'function');
  expect(absent.map(({ operationId }) => operationId)).toEqual([
    'startTurn',
    'retryTurn',
    'watchChat',
    'watchKernel',
    'standBy',
    'importSubscriptions',
  ]);
});

it('[SVC-3] has no named call that the document lacks', () => {
  const known = operations.map(({ operationId }) => operationId);
  expect(Object.keys(client).filter(name => !known.includes(name))).toEqual([]);
});

/** Calls with bytes, which have their own tests. */
const TAKES_BYTES = ['uploadFile', 'transcribe'];

it.each(
  operations.filter(({ operationId }) => !TAKES_BYTES.includes(operationId) && operationId in calls),
)('[SVC-3] sends $operationId to $method $path with all arguments', async operation => {
  const { operationId, method, path, parameters = [], requestBody } = operation;
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  // A body without a schema contains nothing, and these calls send none.
  const { schema } = requestBody?.content['application/json'] ?? {};
  const hasBody = requestBody !== undefined && Object.keys(schema ?? { any: true }).length > 0;
  const hasQuery = parameters.some(parameter => parameter.in === 'query');
  await calls[operationId]?.(
    ...names.map((_, index) => `a/${index}`),
    ...(hasBody ? [{ title: 'Tea' }] : []),
    ...(hasQuery ? [{ limit: 3, shelf: undefined, force: true }] : []),
    { headers: { 'x-test': operationId } },
  );
  const { url, init } = requests.at(-1)!;
  const filled = names.reduce((text, name, index) => text.replace(name, `a%2F${index}`), path);
  expect([init.method, url.pathname]).toEqual([method, filled]);
  expect(init.body).toBe(hasBody ? '{"title":"Tea"}' : undefined);
  expect(url.search).toBe(hasQuery ? '?limit=3&force=true' : '');
  expect(init.headers).toMatchObject({ 'x-test': operationId });
});

it('[CHAT-5] accepts calls without body and query', async () => {
  await client.createChat();
  expect(requests.at(-1)?.init.body).toBe('{}');
  await client.deleteChat('id');
  expect(requests.at(-1)?.url.search).toBe('');
});
