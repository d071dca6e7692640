/** Tests the scripted provider itself: with literals, and with real client packages. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ScriptedReply, startUpstream, type Upstream } from './server.ts';

let upstream: Upstream;
beforeEach(async () => {
  upstream = await startUpstream();
});
afterEach(() => upstream.close());

const REPLY: ScriptedReply = {
  steps: [
    { thinking: ['Let me', ' see.'], signature: 'signed' },
    { text: ['Hel', 'lo'] },
    { call: { id: 'call_1', name: 'read_file', input: { path: 'a.md', deep: { list: [1, 2] } } } },
    { call: { id: 'call_2', name: 'shell', input: {} } },
    { usage: { prompt: 100, completion: 50, reasoning: 20, cached: 64 } },
  ],
};

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const GOOGLE = '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse';

const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(upstream.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
const user = { role: 'user', content: 'hi' };
const chat = (more: object = {}) => post(CHAT, { model: 'm', stream: true, messages: [user], ...more });
const messages = (list: object[], more: object = {}) =>
  post(MESSAGES, { model: 'm', stream: true, max_tokens: 4096, messages: list, ...more });
const contents = (list: object[]) => post(GOOGLE, { contents: list });
const events = (text: string): { type?: string; [key: string]: unknown }[] =>
  [...text.matchAll(/^data: (\{.*\})\r?$/gm)].map(match => JSON.parse(match[1] ?? ''));

describe('the client package of each wire understands it', () => {
  const url = () => upstream.url;
  const MODELS = {
    'openai-chat': () =>
      createOpenAICompatible({ name: 'test', baseURL: `${url()}/v1`, includeUsage: true })('m'),
    'openai-responses': () => createOpenAI({ baseURL: `${url()}/v1`, apiKey: 'x' }).responses('gpt-5'),
    anthropic: () => createAnthropic({ baseURL: `${url()}/v1`, apiKey: 'x' })('claude-sonnet-4-5'),
    google: () => createGoogle({ baseURL: `${url()}/v1beta`, apiKey: 'x' })('gemini-3-pro'),
  };

  test.each(Object.keys(MODELS) as (keyof typeof MODELS)[])('%s', async wire => {
    upstream.next(REPLY);
    const { stream } = await MODELS[wire]().doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [{ type: 'function', name: 'read_file', inputSchema: { type: 'object', properties: {} } }],
    });
    let thinking = '';
    let text = '';
    const calls: unknown[] = [];
    let usage: unknown;
    for await (const part of stream) {
      if (part.type === 'reasoning-delta') thinking += part.delta;
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'tool-call') calls.push([part.toolCallId, part.toolName, JSON.parse(part.input)]);
      if (part.type === 'finish') usage = [part.usage, part.finishReason.unified];
      if (part.type === 'error') throw part.error;
    }
    expect(thinking).toBe('Let me see.');
    expect(text).toBe('Hello');
    expect(calls).toEqual([
      ['call_1', 'read_file', { path: 'a.md', deep: { list: [1, 2] } }],
      ['call_2', 'shell', {}],
    ]);
    expect(usage).toMatchObject([
      { inputTokens: { total: 100, cacheRead: 64 }, outputTokens: { total: 50, reasoning: 20 } },
      'tool-calls',
    ]);
    expect(upstream.requests).toMatchObject([{ wire, method: 'POST', aborted: false }]);
    expect(upstream.requests[0]?.rejected).toBeUndefined();
  });
});

describe('bytes on the wire', () => {
  test('ends chat completions with the usage, if requested, and [DONE]', async () => {
    upstream.next(REPLY, REPLY);
    const text = await (await chat({ stream_options: { include_usage: true } })).text();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(events(text).at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    });
    expect(await (await chat()).text()).not.toContain('usage');
  });

  test('counts cached input separately for Anthropic', async () => {
    upstream.next({ steps: [{ usage: { prompt: 100, cached: 60, written: 30 } }] });
    expect(events(await (await messages([user])).text())[0]).toMatchObject({
      type: 'message_start',
      message: {
        usage: { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 },
      },
    });
  });

  test('counts thoughts separately from the answer for Google', async () => {
    upstream.next(REPLY);
    const text = await (await contents([{ role: 'user', parts: [{ text: 'hi' }] }])).text();
    expect(events(text).at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { candidatesTokenCount: 30, thoughtsTokenCount: 20, cachedContentTokenCount: 64 },
    });
    expect(text).toContain('"thoughtSignature":"signed"');
  });

  test('numbers the events of Responses, and repeats the items at completion', async () => {
    upstream.next(REPLY);
    const include = ['reasoning.encrypted_content'];
    const all = events(
      await (await post(RESPONSES, { model: 'm', stream: true, input: 'hi', include })).text(),
    );
    expect(all.map(event => event.sequence_number)).toEqual(all.map((_, index) => index));
    expect(all.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [
          { type: 'reasoning', encrypted_content: 'signed', summary: [{ text: 'Let me see.' }] },
          { type: 'message', content: [{ text: 'Hello' }] },
          { type: 'function_call', call_id: 'call_1' },
          { type: 'function_call', call_id: 'call_2', arguments: '{}' },
        ],
      },
    });
  });

  test('sends an image as inline data for Google, and as an item in Responses', async () => {
    const image = { media_type: 'image/png', bytes: Buffer.from('png') };
    upstream.next({ steps: [{ image }] }, { steps: [{ image }] });
    expect(await (await contents([{ role: 'user', parts: [{ text: 'draw' }] }])).text()).toContain(
      '"inlineData":{"mimeType":"image/png","data":"cG5n"}',
    );
    expect(await (await post(RESPONSES, { model: 'm', stream: true, input: 'draw' })).text()).toContain(
      '"output_format":"png","result":"cG5n"',
    );
  });
});

describe('the strict check', () => {
  const refused = async (response: Promise<Response>): Promise<string> => {
    const answer = await response;
    const body = (await answer.json()) as { error: { message: string } };
    expect(answer.status).toBe(400);
    expect(upstream.requests.at(-1)?.rejected).toBe(body.error.message);
    return body.error.message;
  };
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
  const tool_use = { type: 'tool_use', id: 'c1', name: 'f', input: {} };
  const tool_result = { type: 'tool_result', tool_use_id: 'c1', content: 'x' };
  const thought = { type: 'thinking', thinking: 'mine', signature: 'mine' };
  const functionCall = { name: 'f', args: {} };
  const ask = { role: 'user', parts: [{ text: 'hi' }] };

  test('requires exactly one result for each call in chat completions', async () => {
    const assistant = { role: 'assistant', content: null, tool_calls: [call] };
    expect(await refused(chat({ messages: [user, assistant, user] }))).toContain('must be followed by tool');
    const orphan = { role: 'tool', tool_call_id: 'c9', content: 'x' };
    expect(await refused(chat({ messages: [user, orphan] }))).toContain('must be a response to');
    const result = { role: 'tool', tool_call_id: 'c1', content: 'x' };
    const twice = [user, assistant, result, assistant, result];
    expect(await refused(chat({ messages: twice }))).toContain('Duplicate');
    expect((await chat({ messages: [user, assistant, result] })).status).toBe(200);
  });

  test('requires pairs, text that is not empty, and a user first for Anthropic', async () => {
    const assistant = { role: 'assistant', content: [tool_use] };
    expect(await refused(messages([user, assistant, user]))).toContain('without `tool_result` blocks');
    const orphan = { role: 'user', content: [tool_result] };
    expect(await refused(messages([orphan]))).toContain('unexpected `tool_use_id`');
    expect(await refused(messages([{ role: 'user', content: '' }]))).toContain('non-empty');
    expect(await refused(messages([{ role: 'assistant', content: 'a' }, user]))).toContain('first message');
    expect((await messages([user, assistant, orphan])).status).toBe(200);
  });

  test('accepts only unchanged thinking of its own for Anthropic', async () => {
    const history = (block: object) => [
      user,
      { role: 'assistant', content: [block, tool_use] },
      { role: 'user', content: [tool_result] },
    ];
    expect(await refused(messages(history(thought)))).toContain('Invalid `signature`');
    upstream.next({ steps: [{ thinking: 'mine', signature: 'mine' }, { call: { id: 'c1', name: 'f' } }] });
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    await (await messages([user], { thinking })).text();
    expect((await messages(history(thought), { thinking })).status).toBe(200);
    expect(await refused(messages(history({ ...thought, thinking: 'changed' }), { thinking }))).toContain(
      'Invalid',
    );
    const bare = [user, { role: 'assistant', content: [tool_use] }, { role: 'user', content: [tool_result] }];
    expect(await refused(messages(bare, { thinking }))).toContain('Expected `thinking`');
  });

  test('requires a response for each call, and its own signatures for Google', async () => {
    const model = (more: object = {}) => ({ role: 'model', parts: [{ functionCall, ...more }] });
    const response = { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] };
    expect(await refused(contents([ask, model(), ask]))).toContain('number of function response parts');
    expect(await refused(contents([response]))).toContain('function response turn');
    expect(await refused(contents([ask, model(), response]))).toContain('missing a thought_signature');
    expect(await refused(contents([ask, model({ thoughtSignature: 'foreign' }), response]))).toContain(
      'Corrupted',
    );
    upstream.next({ steps: [{ thinking: 'hm', signature: 'own' }, { call: { name: 'f' } }] });
    await (await contents([ask])).text();
    expect((await contents([ask, model({ thoughtSignature: 'own' }), response])).status).toBe(200);
  });

  test('requires outputs for calls, and reasoning with its result for Responses', async () => {
    const respond = (input: object[], more: object = {}) =>
      post(RESPONSES, { model: 'm', stream: true, store: false, input, ...more });
    const function_call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'x' };
    expect(await refused(respond([user, function_call]))).toContain('No tool output found');
    expect(await refused(respond([user, output]))).toContain('No tool call found');
    upstream.next({ steps: [{ thinking: 'hm', signature: 'sealed' }, { call: { id: 'c1', name: 'f' } }] });
    const include = ['reasoning.encrypted_content'];
    const said = events(await (await respond([user], { include })).text()).at(-1) as unknown as {
      response: { output: object[] };
    };
    const [reasoning, spoken] = said.response.output as [object, object];
    expect((await respond([user, reasoning, spoken, output])).status).toBe(200);
    expect(await refused(respond([user, reasoning]))).toContain('without its required following item');
    expect(await refused(respond([user, spoken, output]))).toContain("without its required 'reasoning' item");
    const foreign = { ...reasoning, encrypted_content: 'forged' };
    expect(await refused(respond([user, foreign, spoken, output]))).toContain('could not be verified');
  });

  test('requires valid and unique tool names on the wire', async () => {
    const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
    expect(await refused(chat({ tools: [tool('no spaces')] }))).toContain('does not match');
    expect(await refused(chat({ tools: [tool('a'), tool('a')] }))).toContain('used twice');
  });

  test('keeps the queue after a refusal, and can be disabled', async () => {
    upstream.next({ steps: [{ text: 'queued' }] });
    await refused(messages([{ role: 'user', content: '' }]));
    expect(await (await messages([user])).text()).toContain('queued');
    const lax = await startUpstream(undefined, { validate: false });
    const response = await fetch(lax.url + CHAT, { method: 'POST', body: JSON.stringify({ messages: [] }) });
    expect(await response.text()).toContain('ok');
    await lax.close();
  });
});
