/** Tests the service as a whole: its tools, its document, its reference. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

test('[SVC-2] offers the built-in tools to the model, each with a schema, in a fixed order', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'Hello.');
  // biome-ignore lint/suspicious/noExplicitAny: the raw JSON
  const tools = upstream.requests[0]?.body.tools.map((tool: any) => tool.function);
  // biome-ignore lint/suspicious/noExplicitAny: the raw JSON
  const names = tools.map((tool: any) => tool.name);
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(['plan', 'read_file', 'think_harder']));
  for (const tool of tools) {
    expect(tool).toMatchObject({ description: expect.stringMatching(/\w/), parameters: { type: 'object' } });
  }
});

test('[SVC-3] the document is OpenAPI 3.1 and describes every route', async () => {
  const { status, headers, body } = await kernel.api.get('/v1/openapi.json');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(body.openapi).toMatch(/^3\.1\./);
  const addresses = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map(method => `${method.toUpperCase()} ${path}`),
  );
  expect(addresses).toEqual(
    expect.arrayContaining([
      'POST /v1/chats',
      'GET /v1/chats',
      'GET /v1/chats/{id}',
      'PATCH /v1/chats/{id}',
      'DELETE /v1/chats/{id}',
      'PUT /v1/chats/{id}/workdir',
      'PUT /v1/chats/{id}/effort',
      'PUT /v1/chats/{id}/model',
      'GET /v1/chats/{id}/spend',
      'GET /v1/chats/{id}/plan',
      'DELETE /v1/chats/{id}/plan',
      'POST /v1/chats/{id}/messages',
      'GET /v1/chats/{id}/messages',
      'DELETE /v1/chats/{id}/messages/{message_id}',
      'GET /v1/chats/{id}/items',
      'GET /v1/chats/{id}/live',
      'POST /v1/chats/{id}/cancel',
      'GET /v1/chats/{id}/turns/{turn_id}',
      'GET /v1/models',
      'GET /images/{id}',
    ]),
  );
  const operations = Object.values(body.paths).flatMap(methods => Object.values(methods as object));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of operations) expect(operation.summary, operation.operationId).toMatch(/\w/);
});

test('[WIRE-4] [SCHED-1] accepts times and empty bodies in the document as the service does', async () => {
  const { api } = kernel;
  const { body: document } = await api.get('/v1/openapi.json');
  const { schemas } = document.components;
  const runs = document.paths['/v1/schedules/{id}/runs'].get.parameters;
  const inputs = [
    schemas.CreateSchedule.properties.at,
    schemas.PatchSchedule.properties.at,
    schemas.PutToSleep.properties.until,
    runs.find(({ name }: { name: string }) => name === 'before').schema,
  ];
  for (const input of inputs) {
    expect(input).toMatchObject({ type: 'string', format: 'date-time' });
    expect(input).not.toHaveProperty('pattern');
  }
  // Responses promise more than requests require.
  expect(schemas.Schedule.properties.created_at.pattern).toBe('\\.\\d{3}Z$');
  const made = await api.post('/v1/schedules', { text: 'Hello.', at: '2040-01-01T01:00:00+01:00' });
  expect([made.status, made.body.at]).toEqual([201, '2040-01-01T00:00:00.000Z']);
  const page = await api.get(`/v1/schedules/${made.body.id}/runs?before=2040-01-01T00:00:00Z`);
  expect([page.status, page.body.runs]).toEqual([200, []]);

  const chat = await api.newChat();
  for (const [path, at] of [
    ['/v1/chats/{id}/cancel', `/v1/chats/${chat.id}/cancel`],
    ['/v1/chats/{id}/compact', `/v1/chats/${chat.id}/compact`],
    ['/v1/sleep/wake', '/v1/sleep/wake'],
  ] as const) {
    expect(document.paths[path].post.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: {} } },
    });
    for (const body of [{}, undefined]) expect((await api.post(at, body)).status).toBe(200);
  }
});

test('[SVC-3] serves the reference page and its assets from the kernel itself', async () => {
  const { status, headers, body } = await kernel.api.raw('/apidocs', { method: 'GET' });
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/html/);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  const html = body.toString();
  expect(html).toContain('/v1/openapi.json');
  const loaded = [...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g)].map(
    match => match[1],
  );
  expect(loaded.length).toBeGreaterThan(0);
  for (const address of loaded) {
    expect(address).toMatch(/^\/(?!\/)/);
    expect((await kernel.api.raw(address, { method: 'GET' })).status).toBe(200);
  }
});
