/** Tests model calls outside of any chat. */
import { request } from 'node:http';
import type { JsonObject } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import type { KernelOptions } from '../harness/kernel.ts';
import { KINDS, type Kind } from '../harness/settings.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { says, stuck } from '../harness/story.ts';
import type { RecordedRequest } from '../upstream/server.ts';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

async function start(options: KernelOptions = {}) {
  const kernel = await kernelOf(options);
  const complete = (body: object) => kernel.api.post('/v1/complete', body);
  const sent = () => kernel.upstream.requests.at(-1) as RecordedRequest;
  return { ...kernel, complete, sent };
}

describe.each(KINDS)('[API-5] over %s', kind => {
  test('answers a prompt with text, model and cost', async () => {
    const { complete, upstream, sent } = await start({ kind });
    upstream.next({
      steps: [{ text: ['Par', 'is'] }, { usage: { prompt: 100, completion: 20, reasoning: 0, cached: 0 } }],
    });
    const { status, body } = await complete({ prompt: 'The capital of France?', system: 'Be brief.' });
    expect(status).toBe(200);
    expect(body).toEqual({
      text: 'Paris',
      model: sent().model === 'plain' ? 'scripted/plain' : `scripted/${sent().model}`,
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        reasoning_tokens: 0,
        cached_tokens: 0,
        cost_usd: expect.closeTo((100 + 200) / 1e6, 10),
      },
    });
    const wire = JSON.stringify(sent().body);
    expect(wire).toContain('The capital of France?');
    expect(wire).toContain('Be brief.');
    expect(sent().body.tools).toBeUndefined();
  });

  test('requests the schema from the provider, and reports it as enforced', async () => {
    const { complete, upstream, sent } = await start({ kind });
    upstream.next(says('{"city":"Paris"}'));
    const { body } = await complete({ prompt: 'Where?', schema: SCHEMA });
    expect(body).toMatchObject({ text: '{"city":"Paris"}', schema_enforced: true });
    expect(schemaOf(kind, sent().body)).toEqual(SCHEMA);
  });

  test('puts the schema into the prompt if the provider rejects it, and reports it as not enforced', async () => {
    const { complete, upstream, sent } = await start({ kind });
    upstream.next(
      {
        status: 400,
        error: { body: '{"error":{"message":"response_format is not supported by this model"}}' },
      },
      says('{"city":"Paris"}'),
    );
    const { body } = await complete({ prompt: 'Where?', system: 'Be brief.', schema: SCHEMA });
    expect(body).toMatchObject({ text: '{"city":"Paris"}', schema_enforced: false });
    expect(schemaOf(kind, sent().body)).toBeUndefined();
    const wire = JSON.stringify(sent().body);
    expect(wire).toContain('Be brief.');
    expect(wire).toContain('additionalProperties');
  });

  test('sends a conversation in its order, also with cache', async () => {
    const { complete, sent } = await start({ kind });
    const messages = [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Three.' },
    ];
    expect((await complete({ messages, system: 'Header.', cache: true })).body.text).toBe('ok');
    const wire = JSON.stringify(sent().body);
    const places = ['One.', 'Two.', 'Three.'].map(text => wire.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });
});

/** Where each provider API has the schema. */
function schemaOf(kind: Kind, body: RecordedRequest['body']): unknown {
  switch (kind) {
    case 'openai':
      return body.text?.format?.schema;
    case 'openai-compatible':
      return body.response_format?.json_schema?.schema;
    case 'anthropic':
      return body.output_config?.format?.schema;
    case 'google':
      return body.generationConfig?.responseJsonSchema;
    default:
      return kind satisfies never;
  }
}

test('[API-5] marks only the system text for caching by Anthropic, and nothing without cache', async () => {
  const { complete, sent } = await start({ kind: 'anthropic' });
  const marks = (part: unknown) => JSON.stringify(part).match(/cache_control/g)?.length ?? 0;
  await complete({ prompt: 'Hi.', system: 'A header.', cache: true });
  expect(sent().body.system).toEqual([
    { type: 'text', text: 'A header.', cache_control: { type: 'ephemeral' } },
  ]);
  expect(marks(sent().body)).toBe(1);
  await complete({ prompt: 'Hi.', system: 'A header.' });
  expect(marks(sent().body)).toBe(0);
});

test('[API-5] shares a cache key between calls with the same header, and uses others otherwise', async () => {
  const { complete, sent } = await start({ kind: 'openai' });
  const keyFor = async (system: string, prompt: string): Promise<string> => {
    await complete({ prompt, system, cache: true });
    return sent().body.prompt_cache_key;
  };
  const key = await keyFor('A header.', 'One?');
  expect(key.length).toBeLessThanOrEqual(64);
  expect(await keyFor('A header.', 'Two?')).toBe(key);
  expect(await keyFor('Another header.', 'Two?')).not.toBe(key);
});

test('[API-5] sends a schema that no strict mode accepts without strict mode', async () => {
  const { complete, sent } = await start();
  const loose = { type: 'object', properties: { city: { type: 'string' } } };
  expect((await complete({ prompt: 'Where?', schema: loose })).body.schema_enforced).toBe(true);
  expect(sent().body.response_format).toEqual({
    type: 'json_schema',
    json_schema: { name: 'answer', strict: false, schema: loose },
  });
  await complete({ prompt: 'Where?', schema: SCHEMA });
  expect(sent().body.response_format.json_schema.strict).toBe(true);
});

test('[API-5] sends an open schema to Anthropic as the input of a tool, and returns text', async () => {
  const { complete, upstream, sent } = await start({ kind: 'anthropic' });
  upstream.next({ steps: [{ call: { name: 'json', input: { any: 'thing' } } }] });
  const { body } = await complete({
    prompt: 'What?',
    schema: { type: 'object', additionalProperties: true },
  });
  expect(JSON.parse(body.text)).toEqual({ any: 'thing' });
  expect(body.schema_enforced).toBe(true);
  expect(sent().body.tools.map(({ name }: { name: string }) => name)).toEqual(['json']);
  expect(sent().body.tool_choice.type).toBe('any');
});

test('[API-5] answers with the built-in demo, and reports the schema as not enforced', async () => {
  const { complete } = await start({
    settings: { llm: { default_model: null, providers: { demo: { kind: 'demo' } }, models: [] } },
  });
  const { status, body } = await complete({ prompt: 'Hello.', schema: SCHEMA });
  expect([status, body.model, body.schema_enforced]).toEqual([200, 'demo/demo', false]);
  expect(body.text).not.toBe('');
});

test('[API-5] uses the requested model, effort and limit, and the lowest effort by default', async () => {
  const { complete, sent } = await start({
    settings: {
      llm: {
        models: [
          { id: 'scripted/plain', efforts: ['low', 'high'] },
          { id: 'scripted/small', efforts: ['low', 'mid'], max_output_tokens: 500 },
        ],
      },
    },
  });
  await complete({ prompt: 'Hi.' });
  expect(sent()).toMatchObject({ model: 'plain', body: { reasoning_effort: 'low' } });
  const { body } = await complete({
    prompt: 'Hi.',
    model: 'scripted/small',
    effort: 'high',
    max_tokens: 9000,
  });
  expect(body.model).toBe('scripted/small');
  expect(sent()).toMatchObject({ model: 'small', body: { reasoning_effort: 'medium', max_tokens: 500 } });
});

test('[API-5] [API-2] adds the cost to the totals, and creates no chat', async () => {
  const { complete, api, upstream } = await start();
  upstream.next({ steps: [{ text: 'Hi.' }, { usage: { prompt: 1000, completion: 100, cached: 0 } }] });
  await complete({ prompt: 'Hi.' });
  const { body } = await api.get('/v1/stats');
  expect(body).toMatchObject({
    chats: 0,
    messages: 0,
    tokens: { prompt_tokens: 1000, completion_tokens: 100 },
    cost_usd: expect.closeTo(0.002, 10),
  });
  expect(Object.values(body.turns as JsonObject)).toEqual([0, 0, 0, 0, 0, 0]);
});

test.each([
  [{}, 400, 'invalid_value', ['/prompt', '/messages']],
  [
    { prompt: 'Hi.', messages: [{ role: 'user', content: 'Hi.' }] },
    400,
    'invalid_value',
    ['/prompt', '/messages'],
  ],
  [{ prompt: '  ' }, 400, 'invalid_value', ['/prompt']],
  [{ messages: [] }, 400, 'invalid_value', ['/messages']],
  [{ messages: [{ role: 'user', content: '' }] }, 400, 'invalid_value', ['/messages/0/content']],
  [
    {
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Hi.' },
      ],
    },
    400,
    'invalid_value',
    ['/messages/1/role'],
  ],
  [{ prompt: 'Hi.', model: 'scripted/nothing' }, 400, 'unknown_model', ['/model']],
  [{ messages: [{ role: 'system', content: 'x' }] }, 422, 'schema_mismatch', ['/messages/0/role']],
  [{ prompt: 'Hi.', max_tokens: 0 }, 422, 'schema_mismatch', ['/max_tokens']],
  [{ prompt: 'Hi.', schema: 'x' }, 422, 'schema_mismatch', ['/schema']],
])('[API-5] [API-8] rejects %j before any provider request', async (body, status, code, pointers) => {
  const { complete, upstream } = await start();
  const answer = await complete(body);
  expect(answer).toMatchObject({ status, body: { code } });
  expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  expect(upstream.requests).toEqual([]);
});

test('[API-5] [API-8] returns the error of the provider without its key', async () => {
  const { complete, upstream } = await start();
  upstream.next({ error: 'unauthorized' });
  const answer = await complete({ prompt: 'Hi.' });
  expect(answer).toMatchObject({ status: 502, body: { code: 'upstream_error' } });
  // The test client rejects any response that contains the key.
  expect(answer.body.detail).toContain('Incorrect API key provided: ***');
});

test('[API-5] aborts the provider request when the client disconnects, and counts the output so far', async () => {
  const { url, api, upstream } = await start();
  upstream.next(stuck({ text: 'It was a dark and stormy night' }));
  const outgoing = request(`${url}/v1/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  outgoing.on('error', () => {});
  outgoing.end(JSON.stringify({ prompt: 'Tell me a story.' }));
  await expect.poll(() => upstream.requests.length).toBe(1);
  outgoing.destroy();
  expect(await upstream.requests[0]?.ended).toBe('aborted');
  await expect.poll(async () => (await api.get('/v1/stats')).body.tokens.prompt_tokens).toBeGreaterThan(0);
});
