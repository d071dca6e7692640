/**
 * Tests requests of the two most used programs for OpenAI's API, Open WebUI and LibreChat, in the form of their
 * documentation or source. Their libraries, such as LangChain, are in openai-clients.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { askedLast, chatsOf, MODEL, postRaw } from '../harness/openai.ts';
import { calls, says, stuck } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

/** A pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const data = `data:image/png;base64,${PNG}`;

/** The frames of a stream without the last one. */
const framesOf = (stream: string) =>
  stream
    .split('\n\n')
    .filter(frame => frame.startsWith('data: {'))
    .map(frame => JSON.parse(frame.slice('data: '.length)));

interface App {
  app: string;
  headers: Record<string, string>;
  /** The fields that all requests have. */
  common: object;
  /** A picture with text. */
  image: object;
}

describe.each<App>([
  {
    app: 'Open WebUI',
    headers: { authorization: 'Bearer sk-x', 'x-openwebui-user-name': 'Ada', 'x-openwebui-chat-id': 'c-1' },
    common: { model: MODEL, stream: true, stream_options: { include_usage: true } },
    image: { type: 'image_url', image_url: { url: data } },
  },
  {
    app: 'LibreChat',
    headers: { authorization: 'Bearer none', 'x-stainless-lang': 'js' },
    common: {
      model: MODEL,
      stream: true,
      stream_options: { include_usage: true },
      user: '66f0c0ffee',
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
    },
    image: { type: 'image_url', image_url: { url: data, detail: 'auto' } },
  },
])('$app', ({ headers, common, image }) => {
  test('[FACE-1] lists the models', async () => {
    const listed = await exchange(`${kernel.url}/openai/v1/models`, { method: 'GET', headers });
    expect(listed.statusCode).toBe(200);
    const { object, data } = JSON.parse(`${await bytesOf(listed)}`);
    expect(object).toBe('list');
    expect(data[0]).toMatchObject({ id: MODEL, object: 'model', owned_by: 'scripted' });
  });

  test('[FACE-1] stops the model when its stop button disconnects', async () => {
    kernel.upstream.next(stuck({ text: 'I was about to' }));
    const body = { ...common, messages: [{ role: 'user', content: 'Tell me.' }] };
    const answer = await postRaw(kernel, body, headers);
    let heard = '';
    for await (const piece of answer) {
      heard += piece;
      if (heard.includes('I was about to')) break;
    }
    answer.destroy();
    expect(await kernel.upstream.requests.at(-1)?.ended).toBe('aborted');
    const [chat] = await chatsOf(kernel);
    await expect
      .poll(async () => (await kernel.client.getChat(chat!.id)).turn, { timeout: 30_000 })
      .toBeNull();
  });

  test('[FACE-1] sends pictures', async () => {
    kernel.upstream.next(says('A pixel.'));
    const content = [{ type: 'text', text: 'What is this?' }, image];
    const answer = await postRaw(kernel, { ...common, messages: [{ role: 'user', content }] }, headers);
    expect(`${await bytesOf(answer)}`).toContain('"content":"A pixel."');
    expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body.messages)).toContain(PNG);
  });

  test('[FACE-1] streams calls of its own tools, and answers them in the next request', async () => {
    kernel.upstream.next(calls('n1', 'get_weather', { city: 'Oslo' }), says('Take an umbrella.'));
    const tools = [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'The weather.',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ];
    const asked = { role: 'user', content: 'Umbrella?' };
    const first = `${await bytesOf(await postRaw(kernel, { ...common, tools, messages: [asked] }, headers))}`;
    const frames = framesOf(first);
    const tool_calls = frames.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(tool_calls[0]).toMatchObject({
      index: 0,
      id: 'n1',
      type: 'function',
      function: { name: 'get_weather' },
    });
    const words = tool_calls.map(call => call.function.arguments ?? '').join('');
    expect(JSON.parse(words)).toEqual({ city: 'Oslo' });
    expect(frames.some(({ choices }) => choices[0]?.finish_reason === 'tool_calls')).toBe(true);
    // Merged as clients merge the pieces of a stream.
    const called = { ...tool_calls[0], function: { name: 'get_weather', arguments: words } };
    const messages = [
      asked,
      { role: 'assistant', content: '', tool_calls: [called] },
      { role: 'tool', tool_call_id: 'n1', content: 'Rain.' },
    ];
    const second = await bytesOf(await postRaw(kernel, { ...common, tools, messages }, headers));
    expect(`${second}`).toContain('"content":"Take an umbrella."');
    expect(askedLast(kernel).at(-1)).toBe('tool: Rain.');
  });
});

test('[FACE-1] answers requests of Open WebUI: the models, a streamed chat, its title', async () => {
  const headers = { authorization: 'Bearer sk-x', 'x-openwebui-user-name': 'Ada' };
  const listed = await exchange(`${kernel.url}/openai/v1/models`, { method: 'GET', headers });
  expect(JSON.parse(`${await bytesOf(listed)}`).data[0].id).toBe(MODEL);
  const before = (await chatsOf(kernel)).length;
  kernel.upstream.next(says('Hello, Ada.'), says('{ "title": "A greeting" }'), says('You are Ada.'));
  const stream = async (messages: object[]) => {
    const body = { stream: true, model: MODEL, messages, stream_options: { include_usage: true } };
    return `${await bytesOf(await postRaw(kernel, body, headers))}`;
  };
  const system = { role: 'system', content: 'User Context:\nAda' };
  const hi = { role: 'user', content: 'hi' };
  expect(await stream([system, hi])).toContain('"content":"Hello, Ada."');
  const titled = await postRaw(
    kernel,
    {
      model: MODEL,
      messages: [
        {
          role: 'user',
          content:
            '### Task:\nGenerate a concise, 3-5 word title.\n### Chat History:\n<chat_history>\nUSER: hi\n</chat_history>',
        },
      ],
      stream: false,
      max_completion_tokens: 1000,
    },
    headers,
  );
  expect(JSON.parse(`${await bytesOf(titled)}`).choices[0].message.content).toBe('{ "title": "A greeting" }');
  const said = [
    system,
    hi,
    { role: 'assistant', content: 'Hello, Ada.' },
    { role: 'user', content: 'Who am I?' },
  ];
  expect(await stream(said)).toContain('"content":"You are Ada."');
  // The chat and its title; the later requests are in the same chat.
  expect((await chatsOf(kernel)).length).toBe(before + 2);
});

test('[FACE-1] answers requests of LibreChat: a streamed chat, and its title', async () => {
  kernel.upstream.next(says('Bonjour.'), says('French'));
  const common = {
    model: MODEL,
    user: '66f0c0ffee',
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
  };
  const answer = await postRaw(kernel, {
    ...common,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Speak French.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ],
  });
  expect(answer.headers['x-ignored-fields']).toBe(
    '/user,/temperature,/top_p,/presence_penalty,/frequency_penalty',
  );
  expect(`${await bytesOf(answer)}`).toContain('"content":"Bonjour."');
  const titled = await postRaw(kernel, {
    ...common,
    temperature: 0.2,
    messages: [
      { role: 'system', content: 'Provide a concise, 5-word-or-less title.' },
      { role: 'user', content: 'x' },
    ],
  });
  expect(JSON.parse(`${await bytesOf(titled)}`).choices[0].message.content).toBe('French');
});

test('[FACE-1] accepts the speaker name of a LibreChat preset', async () => {
  kernel.upstream.next(says('Aye.'));
  const answer = await postRaw(kernel, {
    model: MODEL,
    stream: true,
    messages: [
      { role: 'system', name: 'Captain', content: 'Talk like a sailor.' },
      { role: 'user', content: 'Ready?' },
    ],
  });
  expect(`${await bytesOf(answer)}`).toContain('"content":"Aye."');
  expect(askedLast(kernel).at(-1)).toContain('Ready?');
});
