/** Tests calls by name, and by method and path. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { type Chat, KernelClient, type SleepState } from '../src/index.ts';

let client: KernelClient;
const kernel = sharedKernel();
beforeAll(() => {
  client = new KernelClient({ url: kernel.url });
});

it('[SVC-3] calls any operation by method and path', async () => {
  const { id } = await client.request<Chat>('POST', '/v1/chats', { body: { title: 'One' } });
  const path = { id };
  const gone = await client.request('DELETE', '/v1/chats/{id}', { path, query: { force: true } });
  expect(gone).toEqual({ deleted: true, id });
  await expect(client.request('GET', '/v1/chats/{id}', { path })).rejects.toMatchObject({ status: 404 });
});

it('[SVC-3] returns a response that is not JSON unchanged', async () => {
  const metrics = await client.open('GET', '/metrics');
  expect(await metrics.text()).toContain('# TYPE');
  const { id } = await client.createChat();
  const lines = await client.open('GET', '/v1/chats/{id}/export', { path: { id }, query: { format: 'md' } });
  expect(lines.headers.get('content-disposition')).toContain('attachment');
});

it('does not compile calls that the API lacks', () => {
  const calls = () => [
    // @ts-expect-error: no such operation
    client.renameChat('id'),
    // @ts-expect-error: the id is missing
    client.getChat(),
    // @ts-expect-error: no such field
    client.createChat({ titel: 'One' }),
    // @ts-expect-error: no such value
    client.setEffort('id', { level: 'higher' }),
    // @ts-expect-error: a body for a call without one
    client.getSleep({ body: {} }),
    // @ts-expect-error: the query is missing
    client.search(),
  ];
  expect(calls).toBeTypeOf('function');
});

it('has typed answers', () => {
  expectTypeOf(client.createChat).returns.resolves.toEqualTypeOf<Chat>();
  expectTypeOf(client.getSleep).returns.resolves.toEqualTypeOf<SleepState>();
  expectTypeOf(client.getImage).returns.resolves.toEqualTypeOf<Response>();
});

it('rejects a path with a missing parameter without a request', () => {
  expect(() => client.request('GET', '/v1/chats/{id}')).toThrow('/v1/chats/{id} needs {id}.');
});

it('rejects parameters that would change the path of the resource', async () => {
  for (const id of ['', '.', '..'])
    expect(() => client.rewind('chat', id)).toThrow('is nothing for {message_id}');
  await expect(client.getChat('a/../b')).rejects.toMatchObject({ status: 404 });
});

it('reports redirects and HTML pages as errors of this library', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/v1/models') response.end('<p>Please log in.');
    else response.writeHead(302, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const lone = new KernelClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await expect(lone.listModels()).rejects.toMatchObject({ status: 200, code: 'unexpected_answer' });
  const error = { status: 302, code: 'unexpected_answer', detail: expect.stringContaining('/elsewhere') };
  await expect(lone.createChat()).rejects.toMatchObject(error);
  expect(asked).toEqual(['GET /v1/models', 'POST /v1/chats']);
});
