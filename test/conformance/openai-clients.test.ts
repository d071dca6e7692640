/** Tests third-party clients of OpenAI's API. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { bytesOf, exchange } from '../harness/http.ts';
import { startKernel } from '../harness/kernel.ts';
import { askedLast, MODEL, postRaw } from '../harness/openai.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, held, says } from '../harness/story.ts';

const kernel = sharedKernel();

const CITY = z.object({ city: z.string() });

describe("the AI SDK's provider for compatible servers", () => {
  const model = () =>
    createOpenAICompatible({
      name: 'kernel',
      baseURL: `${kernel.url}/openai/v1`,
      apiKey: 'x',
      includeUsage: true,
    })(MODEL);
  const tools = {
    weather: tool({
      inputSchema: CITY,
      description: 'The weather.',
      execute: async ({ city }) => `Rain in ${city}.`,
    }),
  };

  test('[FACE-1] runs generateText with a tool over two steps', async () => {
    kernel.upstream.next(calls('g1', 'weather', { city: 'Oslo' }), says('Take an umbrella.'));
    const { text, steps } = await generateText({
      model: model(),
      system: 'Be kind.',
      prompt: 'Umbrella?',
      tools,
      stopWhen: isStepCount(5),
    });
    expect(text).toBe('Take an umbrella.');
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(askedLast(kernel).at(-1)).toBe('tool: Rain in Oslo.');
  });

  test('[FACE-1] runs streamText with thinking, a tool and usage', async () => {
    kernel.upstream.next(
      { steps: [{ thinking: 'Where?' }, { call: { id: 'g2', name: 'weather', input: { city: 'Rome' } } }] },
      { steps: [{ text: ['No ', 'umbrella.'] }, { usage: { prompt: 30, completion: 4 } }] },
    );
    const result = streamText({ model: model(), prompt: 'Umbrella?', tools, stopWhen: isStepCount(5) });
    let heard = '';
    for await (const piece of result.textStream) heard += piece;
    expect(heard).toBe('No umbrella.');
    const steps = await result.steps;
    expect(steps[0]?.reasoningText).toBe('Where?');
    expect(steps[1]?.usage).toMatchObject({ inputTokens: 30, outputTokens: 4 });
  });

  test('[FACE-1] throws its own error for a refusal', async () => {
    const failing = generateText({ model: model(), prompt: 'Hi.', stopSequences: ['x'], maxRetries: 0 });
    await expect(failing).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('stop'),
    });
  });
});

describe('LangChain', () => {
  const chat = () =>
    new ChatOpenAI({
      model: MODEL,
      apiKey: 'x',
      maxRetries: 0,
      useResponsesApi: false,
      configuration: { baseURL: `${kernel.url}/openai/v1` },
    });

  test('[FACE-1] runs invoke and stream', async () => {
    kernel.upstream.next(says('Hello.'), { steps: [{ text: ['Hel', 'lo.'], delay_ms: 5 }] });
    const answer = await chat().invoke([new SystemMessage('Be kind.'), new HumanMessage('Hi.')]);
    expect(answer.text).toBe('Hello.');
    let heard = '';
    for await (const piece of await chat().stream('Hi.')) heard += piece.text;
    expect(heard).toBe('Hello.');
  });

  test('[FACE-1] calls the tools of the client', async () => {
    kernel.upstream.next(calls('l1', 'forecast', { city: 'Bern' }), says('Snow.'));
    const forecast = langchainTool(async ({ city }) => `Snow in ${city}.`, {
      name: 'forecast',
      description: 'The forecast.',
      schema: CITY,
    });
    const bound = chat().bindTools([forecast]);
    const asked = new HumanMessage('And tomorrow?');
    const called = await bound.invoke([asked]);
    expect(called.tool_calls).toMatchObject([{ name: 'forecast', args: { city: 'Bern' }, id: 'l1' }]);
    const result = await forecast.invoke({ ...called.tool_calls![0]!, type: 'tool_call' });
    expect((await bound.invoke([asked, called, result])).text).toBe('Snow.');
  });
});

test('[FACE-1] [AUTH-4] accepts the SDK on a page of an allowed origin', async () => {
  const own = await startKernel({ settings: { server: { cors_origins: ['https://app.example.org'] } } });
  const asked = await exchange(`${own.url}/openai/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.org',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-os',
    },
  });
  expect(asked.statusCode).toBe(204);
  const allowed = String(asked.headers['access-control-allow-headers']);
  for (const name of ['Authorization', 'X-Chat-Id', 'X-Stainless-OS', 'X-Stainless-Retry-Count']) {
    expect(allowed.split(', ')).toContain(name);
  }
  const answered = await postRaw(
    own,
    { model: MODEL, messages: [{ role: 'user', content: 'Hi.' }] },
    { origin: 'https://app.example.org' },
  );
  expect(answered.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example.org',
    'access-control-expose-headers': expect.stringContaining('X-Chat-Id'),
  });
  await bytesOf(answered);
  await own.stop();
});

test('[FACE-1] sends a comment every 15 s in a stream without text', async () => {
  // These 15 s pass at once.
  const { setTimeout } = globalThis;
  const sleeping = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms, ...args) => setTimeout(callback, ms === 15_000 ? 0 : ms, ...args));
  onTestFinished(() => sleeping.mockRestore());
  const { reply, go } = held({ text: 'At last.' });
  kernel.upstream.next(reply);
  const body = { model: MODEL, stream: true, messages: [{ role: 'user', content: 'Slowly.' }] };
  const answer = await postRaw(kernel, body);
  expect(answer.statusCode).toBe(200);
  const [first] = (await answer.iterator({ destroyOnReturn: false }).next()).value.toString().split('\n\n');
  expect(first).toBe(': heartbeat');
  go();
  expect(`${await bytesOf(answer)}`).toContain('"content":"At last."');
});
