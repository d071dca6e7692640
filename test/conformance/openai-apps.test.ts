/**
 * Tests requests of the two most used programs for OpenAI's API, Open WebUI and LibreChat, in the form of their
 * documentation or source. Their libraries, such as LangChain, are in openai-clients.test.ts.
 */
import { expect, test } from 'vitest';
import { bytesOf, exchange } from '../harness/http.ts';
import { askedLast, chatsOf, MODEL, postRaw } from '../harness/openai.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { says } from '../harness/story.ts';

const kernel = sharedKernel();

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
