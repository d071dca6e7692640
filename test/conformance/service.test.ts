/** Tests the service as a whole: its tools, its document, its reference. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';

const kernel = sharedKernel();

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
