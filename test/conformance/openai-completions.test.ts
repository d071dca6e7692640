/**
 * Tests chat completions with OpenAI's own client: whole and streamed, with images, limits and levels, and every
 * refusal.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type OpenAI from 'openai';
import { APIError } from 'openai';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bytesOf } from '../harness/http.ts';
import { startKernel } from '../harness/kernel.ts';
import { chatsOf, MODEL, openaiOf, postRaw } from '../harness/openai.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { says } from '../harness/story.ts';

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

let openai: OpenAI;
const kernel = sharedKernel();
beforeAll(() => {
  openai = openaiOf(kernel);
});

const HI = [{ role: 'user', content: 'Hi.' }] as const;
const withPart = (part: object) => [{ role: 'user', content: [part] }] as never;
const ask = (more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
  openai.chat.completions.create({ model: MODEL, messages: [...HI], ...more });

test('[FACE-1] lists the models of the kernel', async () => {
  const { data } = await openai.models.list();
  expect(data).toEqual([{ id: MODEL, object: 'model', created: 0, owned_by: 'scripted' }]);
  expect(await openai.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model' });
  await expect(openai.models.retrieve('scripted/none')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
});

test('[FACE-1] opens no socket to its own kernel', async () => {
  const { port } = new URL(kernel.url);
  let accepted = 0;
  const onSocket = (message: unknown) => {
    if (String((message as { socket: Socket }).socket.localPort) === port) accepted++;
  };
  subscribe('net.server.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
  const body = JSON.stringify({ model: MODEL, messages: HI });
  const asked = request(`${kernel.url}/openai/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  }).end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(JSON.parse(await text(answer)).choices[0].message.content).toBe('ok');
  expect(accepted).toBe(1);
});

test('[FACE-1] returns an answer in one piece with its usage', async () => {
  kernel.upstream.next({
    steps: [
      { thinking: 'A greeting.' },
      { text: ['Hel', 'lo.'] },
      { usage: { prompt: 100, completion: 20, reasoning: 5, cached: 60 } },
    ],
  });
  const { data, response } = await openai.chat.completions
    .create({ model: MODEL, messages: [...HI] })
    .withResponse();
  expect(data).toEqual({
    id: expect.stringMatching(/^chatcmpl-/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: MODEL,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello.', refusal: null, reasoning_content: 'A greeting.' },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
  });
  const [chat] = await chatsOf(kernel);
  expect(chat).toMatchObject({ shelf: 'openai', title: 'Hi.', model: MODEL });
  expect(response.headers.get('x-chat-id')).toBe(chat?.id);
  expect(response.headers.get('x-turn-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('[FACE-1] streams an answer frame by frame', async () => {
  kernel.upstream.next({
    steps: [
      { thinking: 'A greeting.' },
      { text: 'Hello.' },
      { usage: { prompt: 100, completion: 20, reasoning: 5 } },
    ],
  });
  const answer = await postRaw(kernel, {
    model: MODEL,
    messages: HI,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  const frames = `${await bytesOf(answer)}`.split('\n\n');
  expect(frames.splice(-2)).toEqual(['data: [DONE]', '']);
  const chunks = frames.map(frame => JSON.parse(frame.replace(/^data: /, '')));
  const { id, created } = chunks[0];
  const head = { id, object: 'chat.completion.chunk', created, model: MODEL };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  });
  expect(chunks).toEqual([
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'A greeting.' }),
    chunk({ content: 'Hello.' }),
    chunk({}, 'stop'),
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    },
  ]);
});

test('[FACE-1] streams to the SDK, and sends no usage chunk without include_usage', async () => {
  kernel.upstream.next({ steps: [{ text: ['Hel', 'lo.'], delay_ms: 5 }], finish: 'length' });
  const stream = openai.chat.completions.stream({ model: MODEL, messages: [...HI] });
  const pieces: string[] = [];
  stream.on('content', piece => pieces.push(piece));
  const { choices, usage } = await stream.finalChatCompletion();
  expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Hello.' } });
  expect(usage).toBeUndefined();
  expect(pieces.join('')).toBe('Hello.');
});

test.each<[string, OpenAI.ChatCompletionMessageParam[]]>([
  ['a model message', [...HI, { role: 'assistant', content: 'Hello, my' }]],
  [
    'instructions',
    [...HI, { role: 'assistant', content: 'Hello.' }, { role: 'system', content: 'Be brief.' }],
  ],
  ['only instructions', [{ role: 'system', content: 'Greet the user.' }]],
])('[FACE-1] continues a conversation that ends with %s', async (_, messages) => {
  kernel.upstream.next(says(' name is Ada.'));
  const { data, response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(data.choices[0]?.message.content).toBe(' name is Ada.');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain(
    'Continue from the end of the conversation.',
  );
  const next = await openai.chat.completions
    .create({
      model: MODEL,
      messages: [...messages, data.choices[0]!.message, { role: 'user', content: 'And?' }],
    })
    .withResponse();
  expect(next.response.headers.get('x-chat-id')).toBe(response.headers.get('x-chat-id'));
});

test('[FACE-1] stores a file as an upload of the chat, and continues its conversation', async () => {
  const file_data = `data:text/plain;base64,${Buffer.from('Buy milk.').toString('base64')}`;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in it?' },
        { type: 'file', file: { filename: 'list.txt', file_data } },
      ],
    },
  ];
  const { data, response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse();
  const id = response.headers.get('x-chat-id')!;
  const [message] = await kernel.client.items(id);
  expect(message).toMatchObject({
    text: 'What is in it?',
    attachments: [{ kind: 'file', name: 'list.txt', size: 9, media_type: 'text/plain' }],
  });
  await kernel.client.say(id, 'From elsewhere.');
  messages.push(data.choices[0]!.message, { role: 'user', content: 'From elsewhere.' });
  messages.push({ role: 'assistant', content: 'ok' }, { role: 'user', content: 'And now?' });
  const next = await openai.chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(next.response.headers.get('x-chat-id')).toBe(id);
  const unknown = { type: 'file', file: { file_id: '0190f000-0000-7000-8000-000000000001' } };
  await expect(ask({ messages: withPart(unknown) })).rejects.toMatchObject({
    status: 400,
    param: 'messages[0].content[0].file',
  });
});

test('[FACE-1] returns 404 with the full path and the available routes, whatever the body', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const answer = await fetch(`${kernel.url}/openai/v1/responses?x=1`, { method: 'POST', headers, body: 'x' });
  const { error } = (await answer.json()) as { error: { message: string; code: string } };
  expect([answer.status, error.code]).toEqual([404, 'unknown_url']);
  expect(error.message).toBe(
    '/openai/v1/responses does not exist. Available: POST /openai/v1/chat/completions, POST /openai/v1/audio/transcriptions, POST /openai/v1/audio/speech, GET /openai/v1/models, GET /openai/v1/models/{model}.',
  );
});

test('[FACE-1] passes images, a reasoning level and a limit to the model', async () => {
  const url = `data:image/png;base64,${PNG}`;
  await ask({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url, detail: 'low' } },
        ],
      },
    ],
    reasoning_effort: 'high',
    max_completion_tokens: 50,
  });
  const { body } = kernel.upstream.requests.at(-1)!;
  expect(JSON.stringify(body.messages)).toContain(PNG);
  expect(JSON.stringify(body)).toContain('"high"');
  expect(body.max_tokens ?? body.max_completion_tokens).toBe(50);
  await ask({ max_tokens: 40, reasoning_effort: 'medium' });
  const turn = await lastTurn();
  expect(turn.effort).toMatchObject({ value: 'mid', source: 'turn' });
});

async function lastTurn() {
  const [chat] = await chatsOf(kernel);
  const { messages } = await kernel.client.listMessages(chat!.id, { limit: 1 });
  return kernel.client.getTurn(chat!.id, messages[0]!.turn_id!);
}

test("[FACE-1] runs the kernel's own tools without calls to the client", async () => {
  kernel.upstream.next(
    { steps: [{ text: 'Let me see.' }, { call: { id: 'p1', name: 'plan', input: { tasks: [] } } }] },
    says('It is done.'),
  );
  const { choices } = await ask();
  expect(choices[0]).toMatchObject({
    message: { content: 'Let me see.\n\nIt is done.' },
    finish_reason: 'stop',
  });
  expect(choices[0]?.message).not.toHaveProperty('tool_calls');
});

test('[FACE-1] ignores parameters without effect, and names them', async () => {
  const more = {
    temperature: 0.2,
    n: 1,
    user: 'me',
    seed: 1,
    stop: null,
    response_format: { type: 'text' },
  } as const;
  const { response } = await openai.chat.completions
    .create({ model: MODEL, messages: [...HI], ...more })
    .withResponse();
  expect(response.headers.get('x-ignored-fields')).toBe('/temperature,/user,/seed');
});

describe('errors', () => {
  const image = (url: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  const tool = (name: string, parameters: object = {}) => ({
    type: 'function',
    function: { name, parameters },
  });

  test.each([
    [{ n: 2 }, 'n'],
    [{ logprobs: true }, 'logprobs'],
    [{ stop: ['x'] }, 'stop'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ parallel_tool_calls: false }, 'parallel_tool_calls'],
    [{ functions: [{ name: 'f' }] }, 'functions'],
    [{ messages: undefined }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: 'Hi.' }, 'messages'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: '' }] }, 'messages'],
    [{ messages: [{ role: 'stranger', content: 'x' }] }, 'messages[0].role'],
    [{ messages: withPart({ type: 'input_audio', input_audio: {} }) }, 'messages[0].content[0].type'],
    [
      { messages: withPart({ type: 'file', file: { file_data: 'x' } }) },
      'messages[0].content[0].file.file_data',
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 'messages[0].content[0].type'],
    [{ messages: image('https://example.org/a.png') }, 'messages[0].content[0].image_url.url'],
    [{ messages: image('data:image/png;base64,AAAA') }, 'messages[0].content[0].image_url.url'],
    [{ messages: [...HI, { role: 'tool', tool_call_id: 'x', content: '' }] }, 'messages[1].tool_call_id'],
    [{ model: undefined }, 'model'],
    [{ model: 7 }, 'model'],
    [{ reasoning_effort: 'enormous' }, 'reasoning_effort'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ tools: [tool('read_file')] }, 'tools[0].function.name'],
    [{ tools: [tool('two'), tool('two')] }, 'tools[1].function.name'],
    [{ tools: [tool('a b')] }, 'tools[0].function.name'],
    [{ tools: [tool('f', { type: 'string' })] }, 'tools[0].function.parameters'],
    [{ tools: [{ type: 'custom' }] }, 'tools[0].type'],
    [{ metadata: { chat_id: 7 } }, 'metadata.chat_id'],
  ])('[FACE-1] rejects %j, and names %s', async (wrong, param) => {
    const [asked, chats] = [kernel.upstream.requests.length, (await chatsOf(kernel)).length];
    const answer = await postRaw(kernel, { model: MODEL, messages: HI, ...wrong });
    const body = JSON.parse(`${await bytesOf(answer)}`);
    expect([answer.statusCode, body.error?.param]).toEqual([400, param]);
    expect(Object.keys(body.error)).toEqual(['message', 'type', 'param', 'code']);
    expect(body.error.type).toBe('invalid_request_error');
    // A refused request leaves nothing behind.
    expect(kernel.upstream.requests.length).toBe(asked);
    expect((await chatsOf(kernel)).length).toBe(chats);
  });

  test('[FACE-1] returns 404 model_not_found for an unknown model', async () => {
    const error = await ask({ model: 'gpt-4o' }).catch(each => each);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      type: 'invalid_request_error',
    });
  });

  test.each([
    ['{', {}, 400, null],
    ['[]', {}, 400, null],
    ['{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['{}', { host: 'evil.example' }, 403, 'forbidden_host'],
    ['{}', { origin: 'https://evil.example' }, 403, 'forbidden_origin'],
  ])('[FACE-1] [AUTH-4] the body %s with %j returns %i', async (body, headers, status, code) => {
    const answer = await postRaw(kernel, body, headers as Record<string, string>);
    const { error } = JSON.parse(`${await bytesOf(answer)}`);
    expect([answer.statusCode, error.code]).toEqual([status, code]);
    expect(error.type).toBe('invalid_request_error');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each([
    ['GET', '/openai/v1/chat/completions', 405, 'method_not_supported'],
    ['POST', '/openai/v1/models', 405, 'method_not_supported'],
    ['GET', '/openai/v1/embeddings', 404, 'unknown_url'],
    ['GET', '/openai', 404, 'unknown_url'],
    ['GET', '/openai/v1/models/a%2Fb', 404, 'model_not_found'],
  ])('[FACE-1] %s %s returns %i %s', async (method, path, status, code) => {
    const answer = await fetch(kernel.url + path, { method });
    const { error } = (await answer.json()) as { error: { code: string } };
    expect([answer.status, error.code]).toEqual([status, code]);
  });
});

describe('a failing provider', () => {
  const failures = (
    count: number,
    error: 'rate_limited' | 'server_error' | 'context_overflow' | 'unauthorized',
  ) => Array(count).fill({ error, headers: { 'retry-after-ms': '1' } });

  test.each([
    ['rate_limited', 4, 429, 'rate_limit_exceeded', 'rate_limit_error'],
    ['server_error', 4, 502, 'upstream_error', 'server_error'],
    ['context_overflow', 1, 400, 'context_length_exceeded', 'invalid_request_error'],
    ['unauthorized', 1, 401, 'upstream_auth', 'invalid_request_error'],
  ] as const)('[FACE-1] %s: returns the status, also for a stream, and leaves no chat', async (cause, times, status, code, type) => {
    for (const stream of [false, true]) {
      const before = (await chatsOf(kernel)).length;
      kernel.upstream.next(...failures(times, cause));
      const error = await openai.chat.completions
        .create({ model: MODEL, messages: [...HI], stream })
        .catch(each => each);
      expect(error).toMatchObject({ status, code, type });
      expect((await chatsOf(kernel)).length).toBe(before);
    }
  });

  test.each([
    ['rate_limited', 429],
    ['server_error', 502],
  ] as const)('[FACE-1] %s: tells the SDK not to retry what the kernel has retried', async (cause, status) => {
    const asked = kernel.upstream.requests.length;
    const headers = { 'retry-after-ms': '1', 'retry-after': '7' };
    kernel.upstream.next(...Array(4).fill({ error: cause, headers }));
    const error = await openaiOf(kernel, 2)
      .chat.completions.create({ model: MODEL, messages: [...HI] })
      .catch(each => each);
    expect(error).toMatchObject({ status });
    expect(error.headers.get('x-should-retry')).toBe('false');
    expect(error.headers.get('retry-after')).toBe('1');
    expect(kernel.upstream.requests.length).toBe(asked + 4);
  });

  test.each([
    400, 401, 403, 404, 422,
  ])('[FACE-1] passes a permanent %i of the provider through as not retryable', async status => {
    const asked = kernel.upstream.requests.length;
    const headers = { 'retry-after': '7' };
    kernel.upstream.next({ status, headers, error: { body: '{"error":{"message":"No."}}' } });
    const error = await openaiOf(kernel, 2)
      .chat.completions.create({ model: MODEL, messages: [...HI] })
      .catch(each => each);
    expect(error).toMatchObject({ status, type: 'invalid_request_error' });
    expect(error.headers.get('x-should-retry')).toBe('false');
    expect(error.headers.get('retry-after')).toBeNull();
    expect(kernel.upstream.requests.length).toBe(asked + 1);
  });

  test('[FACE-1] creates one chat for a request and its repeat after a failure', async () => {
    const before = (await chatsOf(kernel)).length;
    kernel.upstream.next(...failures(4, 'rate_limited'), says('At last.'));
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    const { choices } = await ask();
    expect(choices[0]?.message.content).toBe('At last.');
    expect((await chatsOf(kernel)).length).toBe(before + 1);
  });

  test('[FACE-1] sends an error in the middle of a stream as a frame, which the SDK throws', async () => {
    kernel.upstream.next({ steps: [{ text: 'Hel' }, { error: 'server_error' }] });
    const stream = await openai.chat.completions.create({ model: MODEL, messages: [...HI], stream: true });
    let heard = '';
    const reading = (async () => {
      for await (const { choices } of stream) heard += choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toMatchObject({ code: 'upstream_error' });
    expect(heard).toBe('Hel');
  });

  test('[FACE-1] returns an interrupted answer without stream as an error that is not retryable', async () => {
    kernel.upstream.next({ steps: [{ text: 'Hel' }, { error: 'server_error' }] });
    const asked = kernel.upstream.requests.length;
    const error = await openaiOf(kernel, 2)
      .chat.completions.create({ model: MODEL, messages: [...HI] })
      .catch(each => each);
    expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
    expect(error.headers.get('x-should-retry')).toBe('false');
    expect(kernel.upstream.requests.length).toBe(asked + 1);
  });
});

test('[FACE-1] returns a spending cap as a quota error that the SDK does not retry', async () => {
  const capped = await startKernel({ settings: { spend: { per_chat: { tokens: 1 } } } });
  try {
    const answer = await openaiOf(capped, 2)
      .chat.completions.create({ model: MODEL, messages: [...HI] })
      .withResponse();
    const headers = { 'X-Chat-Id': answer.response.headers.get('x-chat-id')! };
    const asked = capped.upstream.requests.length;
    const error = await openaiOf(capped, 2)
      .chat.completions.create({ model: MODEL, messages: [...HI] }, { headers })
      .catch(each => each);
    expect(error).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
    expect(error.headers.get('x-should-retry')).toBe('false');
    expect(capped.upstream.requests.length).toBe(asked);
  } finally {
    await capped.stop();
  }
});
