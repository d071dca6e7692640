/**
 * Tests tools that a client of OpenAI's API brings: a call ends a response, and the next request contains its result.
 */
import type OpenAI from 'openai';
import { beforeAll, expect, test, vi } from 'vitest';
import { startKernel } from '../harness/kernel.ts';
import { askedLast, chatsOf, MODEL, openaiOf } from '../harness/openai.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, held, says } from '../harness/story.ts';

type Messages = OpenAI.ChatCompletionMessageParam[];

let openai: OpenAI;
const kernel = sharedKernel({ settings: { requests: { extra_tool_timeout_secs: 30 } } });
beforeAll(() => {
  openai = openaiOf(kernel);
});

const tool = (name: string): OpenAI.ChatCompletionFunctionTool => ({
  type: 'function',
  function: {
    name,
    description: 'Says the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
});
const WEATHER = [tool('weather')];
const ASK: Messages = [{ role: 'user', content: 'How is the weather?' }];
const ask = (messages: Messages, tools = WEATHER) =>
  openai.chat.completions.create({ model: MODEL, messages, tools });
const answer = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content }) as const;

test('[FACE-1] ends the response with a call, and continues the same turn with its answer', async () => {
  kernel.upstream.next(
    {
      steps: [
        { text: 'Let me ask.' },
        { call: { id: 'w1', name: 'weather', input: { city: 'Oslo' } } },
        { usage: { prompt: 10, completion: 2 } },
      ],
    },
    { steps: [{ text: 'It rains.' }, { usage: { prompt: 20, completion: 3 } }] },
  );
  const first = await ask(ASK);
  expect(first.choices).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Let me ask.',
        refusal: null,
        tool_calls: [
          { id: 'w1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ]);
  expect(first.usage?.total_tokens).toBe(12);
  const [chat] = await chatsOf(kernel);
  expect(chat?.turn?.status).toBe('running');
  const asking = kernel.upstream.requests.at(-1)!.body.tools.at(-1);
  expect(asking.function).toMatchObject(WEATHER[0]!.function);

  const second = await ask([...ASK, first.choices[0]!.message, answer('w1', 'Rain.')]);
  expect(second.choices[0]).toMatchObject({ message: { content: 'It rains.' }, finish_reason: 'stop' });
  expect(second.usage?.total_tokens).toBe(23);
  expect(askedLast(kernel).slice(-1)).toEqual(['tool: Rain.']);
  expect((await chatsOf(kernel))[0]).toMatchObject({ id: chat?.id, turn: null });
  const items = await kernel.client.items(chat!.id);
  expect(items.filter(({ kind }) => kind === 'user_message')).toHaveLength(1);
  expect(items.find(({ kind }) => kind === 'tool_call')).toMatchObject({ call_id: 'w1', output: 'Rain.' });

  // The conversation continues in the same chat.
  const [called, last] = [first.choices[0]!.message, second.choices[0]!.message];
  await ask([...ASK, called, answer('w1', 'Rain.'), last, { role: 'user', content: 'And Rome?' }]);
  expect((await chatsOf(kernel))[0]?.id).toBe(chat?.id);
});

test('[FACE-1] keeps a call open if another conversation or other instructions answer its id', async () => {
  kernel.upstream.next(calls('w2', 'weather', { city: 'Rome' }), says('Too late.'), says('Too late.'));
  const first = await ask(ASK);
  const [chat] = await chatsOf(kernel);
  // Some clients omit text and blanks, but not the question.
  const { message } = first.choices[0]!;
  const answered = [{ ...message, content: null }, answer('w2', 'Rain.')];
  for (const other of [
    [{ role: 'user', content: 'Who else?' }, ...answered],
    [{ role: 'system', content: 'Be someone else.' }, ...ASK, ...answered],
  ] as Messages[]) {
    expect((await ask(other)).choices[0]?.message.content).toBe('Too late.');
  }
  expect((await kernel.client.getChat(chat!.id)).turn?.status).toBe('running');
  kernel.upstream.next(says('It rains.'));
  expect((await ask([...ASK, ...answered])).choices[0]?.message.content).toBe('It rains.');
  expect((await kernel.client.getChat(chat!.id)).turn).toBeNull();
});

test("[FACE-1] runs the SDK's runTools step by step in a stream", async () => {
  const before = (await chatsOf(kernel)).length;
  kernel.upstream.next(
    {
      steps: [
        { call: { id: 'a1', name: 'add', input: { a: 1, b: 2 } } },
        { call: { id: 'a2', name: 'add', input: { a: 3, b: 4 } } },
      ],
    },
    calls('a3', 'add', { a: 3, b: 7 }),
    says('Ten.'),
  );
  const added: string[] = [];
  const runner = openai.chat.completions.runTools({
    model: MODEL,
    stream: true,
    messages: [{ role: 'user', content: 'Add them up.' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'add',
          description: 'Adds.',
          parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
          parse: JSON.parse,
          function: ({ a, b }: { a: number; b: number }) => {
            added.push(`${a}+${b}`);
            return String(a + b);
          },
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe('Ten.');
  expect(added).toEqual(['1+2', '3+4', '3+7']);
  expect(askedLast(kernel).filter(line => line.startsWith('tool:'))).toEqual([
    'tool: 3',
    'tool: 7',
    'tool: 10',
  ]);
  expect((await chatsOf(kernel)).length).toBe(before + 1);
});

test("[FACE-1] runs a call of the kernel's own tool in the same step without the client", async () => {
  kernel.upstream.next(
    {
      steps: [
        { call: { id: 'm1', name: 'plan', input: { tasks: [] } } },
        { call: { id: 'm2', name: 'weather', input: { city: 'Bern' } } },
      ],
    },
    says('Snow.'),
  );
  const first = await ask(ASK);
  const { message } = first.choices[0]!;
  expect(message.tool_calls?.map(({ id }) => id)).toEqual(['m2']);
  const second = await ask([...ASK, message, answer('m2', 'Snow.')]);
  expect(second.choices[0]?.message.content).toBe('Snow.');
});

test('[FACE-1] sends no invalid input to the client', async () => {
  kernel.upstream.next(calls('b1', 'weather', { city: 7 }), says('Never mind.'));
  expect((await ask(ASK)).choices[0]?.message.content).toBe('Never mind.');
});

test('[FACE-1] matches answers to two conversations whose calls have the same id', async () => {
  kernel.upstream.next(calls('same', 'weather', { city: 'A' }), calls('same', 'weather', { city: 'B' }));
  const a: Messages = [{ role: 'user', content: 'Weather in A?' }];
  const b: Messages = [{ role: 'user', content: 'Weather in B?' }];
  const askA = (await ask(a)).choices[0]!.message;
  const askB = (await ask(b)).choices[0]!.message;
  kernel.upstream.next(says('A it is.'));
  const told = await ask([...a, askA, answer('same', 'from A')]);
  expect(told.choices[0]?.message.content).toBe('A it is.');
  expect(JSON.stringify(askedLast(kernel))).toContain('Weather in A?');
  kernel.upstream.next(says('B it is.'));
  await ask([...b, askB, answer('same', 'from B')]);
  expect(JSON.stringify(askedLast(kernel))).toContain('Weather in B?');
});

test('[FACE-1] rejects a missing answer to a call, and an answer without a call', async () => {
  kernel.upstream.next(calls('c1', 'weather', { city: 'Oslo' }));
  const { message } = (await ask(ASK)).choices[0]!;
  await expect(ask([...ASK, message, { role: 'user', content: 'Well?' }])).rejects.toMatchObject({
    status: 400,
    param: 'messages',
  });
  await expect(ask([...ASK, message, answer('c2', 'x')])).rejects.toMatchObject({
    status: 400,
    param: 'messages[2].tool_call_id',
  });
  await ask([...ASK, message, answer('c1', 'x')]);
});

test("[FACE-1] hides the client's tools from the model with tool_choice none", async () => {
  await openai.chat.completions.create({ model: MODEL, messages: ASK, tools: WEATHER, tool_choice: 'none' });
  expect(JSON.stringify(kernel.upstream.requests.at(-1)!.body.tools)).not.toContain('weather');
});

test('[FACE-1] sends late answers to the model as text in the same chat', async () => {
  kernel.upstream.next(calls('late', 'weather', { city: 'Oslo' }));
  const { message } = (await ask(ASK)).choices[0]!;
  const [chat] = await chatsOf(kernel);
  await kernel.client.cancelTurn(chat!.id);
  kernel.upstream.next(says('It was rain.'));
  const { choices } = await ask([...ASK, message, answer('late', 'Rain, at last.')]);
  expect(choices[0]?.message.content).toBe('It was rain.');
  expect(askedLast(kernel).at(-1)).toContain('Result of weather (late):\\nRain, at last.');
});

test('[FACE-1] ends the waiting turn if answers come with a new user message, and starts one with both', async () => {
  kernel.upstream.next(calls('d1', 'weather', { city: 'Oslo' }));
  const { data, response } = await openai.chat.completions
    .create({ model: MODEL, messages: ASK, tools: WEATHER })
    .withResponse();
  const { message } = data.choices[0]!;
  kernel.upstream.next(says('Both.'));
  const id = response.headers.get('x-chat-id')!;
  const { choices } = await openai.chat.completions.create(
    {
      model: MODEL,
      messages: [...ASK, message, answer('d1', 'Sun.'), { role: 'user', content: 'And Rome?' }],
    },
    { headers: { 'X-Chat-Id': id } },
  );
  expect(choices[0]?.message.content).toBe('Both.');
  const items = await kernel.client.items(id);
  expect(items.find(({ kind }) => kind === 'tool_call')).toMatchObject({ status: 'aborted' });
  expect(askedLast(kernel).at(-1)).toContain('Sun.');
  expect(askedLast(kernel).at(-1)).toContain('And Rome?');
});

test('[FACE-1] ends the turn without a model request if a call is not answered in time', async () => {
  const short = await startKernel({ settings: { requests: { extra_tool_timeout_secs: 0.2 } } });
  try {
    const { reply, go } = held({ text: 'Nobody hears it.' });
    short.upstream.next(calls('t1', 'weather', { city: 'Oslo' }), reply);
    await openaiOf(short).chat.completions.create({ model: MODEL, messages: ASK, tools: WEATHER });
    const chat = async () => (await chatsOf(short))[0]!;
    await vi.waitFor(async () => expect((await chat()).turn).toBeNull(), { timeout: 30_000, interval: 20 });
    go();
    const { id } = await chat();
    const [last] = (await short.client.listMessages(id, { limit: 1 })).messages;
    expect((await short.client.getTurn(id, last!.turn_id!)).status).toBe('cancelled');
  } finally {
    await short.stop();
  }
});
