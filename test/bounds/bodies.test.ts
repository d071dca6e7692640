/** Tests how a kernel reads large JSON bodies: values are counted before they are parsed. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';

const JSON_BODY = { 'content-type': 'application/json' };

const kernel = sharedKernel();
const post = (path: string, body: string) =>
  kernel.api.raw(path, { method: 'POST', headers: JSON_BODY, body });

test('[SAFE-7] [API-8] rejects a body with too many values, wherever they are', async () => {
  const { id } = await kernel.api.newChat();
  for (const [path, field] of [
    [`/v1/chats/${id}/messages`, 'mute'],
    ['/v1/chats', 'unknown'],
    ['/v1/complete', 'schema'],
    [`/v1/chats/${id}/cancel`, 'unknown'],
  ] as const) {
    const answer = await post(path, `{"text":"Hi.","${field}":[${'"x",'.repeat(3_000_000)}"x"]}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', detail: 'The body contains more than 100,000 values.' },
    });
  }
  const named = Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join();
  // Of other APIs, with their own errors.
  const posted = async (path: string) => {
    const answer = await fetch(kernel.url + path, {
      method: 'POST',
      headers: JSON_BODY,
      body: `{${named}}`,
    });
    return answer.json();
  };
  expect(await posted('/openai/v1/chat/completions')).toMatchObject({
    error: { message: 'The body contains more than 100,000 values.' },
  });
  expect(await posted('/mcp')).toMatchObject({
    error: { message: 'The body contains more than 2,000 values.' },
  });
});

test('[SAFE-7] counts no commas and brackets in texts, and accepts more values in an import', async () => {
  const text = ',[{'.repeat(50_000);
  expect((await post('/v1/chats', JSON.stringify({ shelf: 'main', unknown: text }))).status).toBe(201);
  const created_at = '2026-01-01T00:00:00.000Z';
  const message = { role: 'user', created_at, content: [{ type: 'text', text: 'Hello.' }] };
  const body = {
    source: 'test',
    key: 'many',
    title: null,
    created_at,
    messages: Array(25_000).fill(message),
  };
  expect((await post('/v1/import?dry_run=true', JSON.stringify(body))).body).toMatchObject({
    status: 'created',
  });
});

test.each([1, 100])('[SAFE-7] reports at most 100 problems (bodies of %i KB and more)', async times => {
  const messages = Array(5 * times * 100).fill({ role: 'nobody', unknown: 'x'.repeat(10) });
  const { status, body } = await post('/v1/import', JSON.stringify({ messages }));
  expect(status).toBe(422);
  expect(body.errors.length).toBeLessThanOrEqual(100);
  expect(body.errors[0]).toMatchObject({ pointer: expect.stringMatching(/^\//) });
});

test('[SAFE-7] rejects a list that is too long by its maximum', async () => {
  const { id } = await kernel.api.newChat();
  const answer = await post(`/v1/chats/${id}/messages`, `{"text":"Hi.","mute":[${'1,'.repeat(1000)}1]}`);
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/mute', detail: expect.stringContaining('1000') }] },
  });
});

test('[API-8] reads a large body like a small one', async () => {
  const padding = 'ж"\\\n😀'.repeat(300_000);
  const answer = await post('/v1/chats', JSON.stringify({ title: 'Large', padding }));
  expect(answer).toMatchObject({ status: 201, body: { title: 'Large' } });
  expect(answer.headers['x-ignored-fields']).toBe('/padding');
  expect((await post('/v1/chats', `{"title":"Large","padding":"${'x'.repeat(2_000_000)}"`)).body.code).toBe(
    'not_json',
  );
  expect((await post('/v1/chats', `{"${'x'.repeat(2_000_000)}":1}`)).body).toMatchObject({
    code: 'invalid_value',
    detail: 'The name of a field has more than 10,000 bytes in the body.',
  });
});
