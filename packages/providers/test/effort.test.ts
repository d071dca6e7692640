/** Tests the effort parameter of each provider API. */
import { ModelError } from '@chat-kernel/kernel';
import { EFFORTS } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { openWire, request, trip, type WireKind, type WireStand } from './wires.ts';

let stand: WireStand;

/** Sends a request at each effort from off to high, and returns the values in the bodies that concern thinking. */
async function thinkingOnWire(kind: WireKind, model: string, entry: object = {}): Promise<unknown[]> {
  stand = await openWire(kind, { model, entry });
  const seen: unknown[] = [];
  for (const effort of EFFORTS) {
    const { error } = await trip(stand.model, request({ effort }));
    expect(error).toBeUndefined();
    const body = stand.upstream.requests.at(-1)!.body;
    seen.push(
      body.reasoning_effort ??
        body.reasoning?.effort ??
        body.output_config?.effort ??
        body.thinking?.budget_tokens ??
        body.thinking?.type ??
        body.generationConfig?.thinkingConfig?.thinkingLevel ??
        body.generationConfig?.thinkingConfig?.thinkingBudget,
    );
  }
  return seen;
}

describe('off, low, mid and high', () => {
  test.each<[WireKind, string, unknown[]]>([
    ['openai-compatible', 'scripted', [undefined, 'low', 'medium', 'high']],
    ['openai', 'gpt-5.1', ['none', 'low', 'medium', 'high']],
    ['openai', 'gpt-5', ['minimal', 'low', 'medium', 'high']],
    ['openai', 'o3', ['low', 'low', 'medium', 'high']],
    ['openai', 'gpt-4o', [undefined, undefined, undefined, undefined]],
    ['anthropic', 'claude-sonnet-5', ['disabled', 'low', 'medium', 'high']],
    ['anthropic', 'claude-opus-4-6', ['disabled', 'low', 'medium', 'high']],
    ['anthropic', 'claude-sonnet-4-5', [undefined, 6400, 19200, 38400]],
    ['anthropic', 'claude-3-haiku-20240307', [undefined, undefined, undefined, undefined]],
    ['google', 'gemini-3-flash-preview', ['minimal', 'low', 'medium', 'high']],
    ['google', 'gemini-2.5-flash', [0, 6554, 19661, 24576]],
    ['google', 'gemini-2.0-flash', [undefined, undefined, undefined, undefined]],
  ])('%s %s', async (kind, model, expected) => {
    expect(await thinkingOnWire(kind, model)).toEqual(expected);
  });

  test('never requests thinking from a model whose settings allow no effort', async () => {
    expect(await thinkingOnWire('openai', 'gpt-5.1', { efforts: ['off'] })).toEqual(Array(4).fill(undefined));
  });
});

test('shows thoughts of Google only if thinking is requested', async () => {
  stand = await openWire('google');
  await trip(stand.model, request({ effort: 'high' }));
  await trip(stand.model, request({ effort: 'off' }));
  const [high, off] = stand.upstream.requests.map(({ body }) => body.generationConfig.thinkingConfig);
  expect(high.includeThoughts).toBe(true);
  expect(off.includeThoughts).toBeUndefined();
});

test('does not enable a thinking budget during a tool loop that started without one', async () => {
  stand = await openWire('anthropic');
  stand.upstream.next({ steps: [{ call: { id: 'a', name: 'shell', input: {} } }] });
  await trip(stand.model, request({ effort: 'off' }));
  const messages = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] },
    {
      role: 'assistant' as const,
      content: [{ type: 'tool_use' as const, id: 'a', name: 'shell', input: {} }],
    },
    {
      role: 'user' as const,
      content: [{ type: 'tool_result' as const, tool_use_id: 'a', output: 'done', is_error: false }],
    },
  ];
  const { error } = await trip(stand.model, request({ effort: 'high', messages }));
  expect(error).toBeUndefined();
  expect(stand.upstream.requests.at(-1)?.body.thinking).toBeUndefined();
});

test('stops requesting reasoning from a model after it rejects reasoning', async () => {
  stand = await openWire('openai-compatible', {
    script: ({ body }) =>
      body.reasoning_effort
        ? { status: 400, error: { body: '{"error":"\\"tiny\\" does not support thinking"}' } }
        : undefined,
  });
  for (let turn = 0; turn < 2; turn++)
    expect((await trip(stand.model, request({ effort: 'low' }))).error).toBeUndefined();
  expect(stand.upstream.requests.map(({ body }) => body.reasoning_effort)).toEqual([
    'low',
    undefined,
    undefined,
  ]);
});

test('stops requesting reasoning summaries after they are rejected, and keeps reasoning', async () => {
  const words = 'Your organization must be verified to generate reasoning summaries.';
  stand = await openWire('openai', {
    script: ({ body }) =>
      body.reasoning?.summary
        ? { status: 400, error: { body: JSON.stringify({ error: { message: words } }) } }
        : undefined,
  });
  for (let turn = 0; turn < 2; turn++)
    expect((await trip(stand.model, request({ effort: 'high' }))).error).toBeUndefined();
  expect(stand.upstream.requests.map(({ body }) => body.reasoning)).toEqual([
    { effort: 'high', summary: 'auto' },
    { effort: 'high' },
    { effort: 'high' },
  ]);
});

test('sends the limit under its newer name to a model that refuses the older one, from then on at once', async () => {
  const words =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  stand = await openWire('openai-compatible', {
    script: ({ body }) =>
      body.max_tokens
        ? { status: 400, error: { body: JSON.stringify({ error: { message: words } }) } }
        : undefined,
  });
  for (let turn = 0; turn < 2; turn++)
    expect((await trip(stand.model, request({ max_output_tokens: 50 }))).error).toBeUndefined();
  expect(stand.upstream.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [50, undefined],
    [undefined, 50],
    [undefined, 50],
  ]);
});

test('does not treat other rejections as rejected reasoning', async () => {
  stand = await openWire('openai-compatible', { script: () => ({ error: 'bad_request' }) });
  expect((await trip(stand.model, request({ effort: 'low' }))).error).toBeInstanceOf(ModelError);
  expect(stand.upstream.requests).toHaveLength(1);
});
