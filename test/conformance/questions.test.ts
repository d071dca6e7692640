/** Tests questions of the model: answered, discussed, answered in text, left open. */
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, stuck, textOf } from '../harness/story.ts';

const kernel = sharedKernel();

const QUESTIONS = [
  { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }, { label: 'Blue' }] },
  {
    question: 'Which sizes?',
    options: [{ label: 'S' }, { label: 'L', description: 'Large' }],
    multi_select: true,
  },
  { question: 'When?', options: [{ label: 'Now' }] },
];
const DECISIONS = { discuss: expect.any(String), answer_in_text: expect.any(String) };

/** Returns the result of the last call as the model read it. */
const readResult = () => kernel.upstream.requests.at(-1)?.body.messages.at(-1)?.content;

/** A turn whose model asks questions, up to the event of its call. */
async function asked(id: string, questions: object[] = QUESTIONS, from: TestKernel = kernel) {
  const { api, client, upstream } = from;
  const chat = await client.createChat();
  upstream.next(calls(id, 'ask_questions', { questions }));
  const stream = await client.begin(chat.id, { text: 'Go.', questions: true });
  const call = await stream.until('tool_call');
  const answer = (body: object) => api.post(`/v1/chats/${chat.id}/ops/result`, { id, ...body });
  return { chat, stream, call, answer };
}

test('[BT-5] asks questions only through a client that can show them', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const offered = async (body: Record<string, unknown>) => {
    await client.say(chat.id, 'Hi.', body);
    const tools = upstream.requests.at(-1)?.body.tools as { function: { name: string } }[];
    return tools.some(tool => tool.function.name === 'ask_questions');
  };
  expect(await offered({})).toBe(false);
  expect(await offered({ client_ops: true })).toBe(true);
  expect(await offered({ client_ops: true, questions: false })).toBe(false);
  expect(await offered({ questions: true })).toBe(true);
});

test('[EV-14] accepts the answer to each question by its index as soon as the call arrives', async () => {
  const { client } = kernel;
  const { chat, stream, call, answer } = await asked('b5');
  // At once: the step that asks may still be incomplete.
  expect(await answer({ question: 1, answer: 'S, L' })).toMatchObject({
    status: 200,
    body: { ok: true, resolution: { id: 'b5', kind: 'question', reason: 'answered', question: 1 } },
  });
  expect(call.input).toEqual({ questions: QUESTIONS, decisions: DECISIONS });
  const { requests } = await client.listRequests();
  expect(requests).toMatchObject([
    { id: 'b5', kind: 'question', question: 0, chat_id: chat.id, turn_id: stream.turnId, event: call },
    { id: 'b5', kind: 'question', question: 2, chat_id: chat.id, turn_id: stream.turnId, event: call },
  ]);
  await answer({ question: 0, answer: 'Red' });
  await answer({ question: 2, answer: 'Now' });
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved')).toEqual(
    [1, 0, 2].map(question => ({
      type: 'request_resolved',
      id: 'b5',
      kind: 'question',
      reason: 'answered',
      question,
    })),
  );
  expect(readResult()).toBe('== Which colour?\nRed\n\n== Which sizes?\nS, L\n\n== When?\nNow');
  const [live] = foldItems(events).filter(item => item.kind === 'tool_call');
  const [stored] = (await client.items(chat.id)).filter(item => item.kind === 'tool_call');
  expect(live).toMatchObject({ input: call.input, status: 'completed' });
  expect(stored).toMatchObject({ input: call.input });
  const { messages } = await client.listMessages(chat.id);
  expect(messages[1]?.content[0]).toMatchObject({ type: 'tool_use', input: call.input });
});

test('[BT-5] returns the call to the model as it was written, without the decisions of clients', async () => {
  const { client, upstream } = kernel;
  const { chat, stream, answer } = await asked('own');
  for (const question of [0, 1, 2]) await answer({ question, answer: 'Red' });
  await stream.all();
  const written = () => {
    const told = upstream.requests.at(-1)?.body.messages as { tool_calls?: [{ function: object }] }[];
    return told.flatMap(({ tool_calls }) => tool_calls ?? []).map(call => call.function);
  };
  const call = { name: 'ask_questions', arguments: JSON.stringify({ questions: QUESTIONS }) };
  expect(written()).toEqual([call]);
  await client.say(chat.id, 'And now?');
  expect(written()).toEqual([call]);
  const [stored] = (await client.items(chat.id)).filter(item => item.kind === 'tool_call');
  expect(stored).toMatchObject({ input: { questions: QUESTIONS, decisions: DECISIONS } });
});

test('[EV-14] gives the model fixed texts for an empty answer and an empty error', async () => {
  const { stream, answer } = await asked('mute');
  await answer({ question: 0, answer: '' });
  await answer({ question: 1, error: '' });
  await answer({ question: 2, error: 'The screen is off.' });
  await stream.all();
  expect(readResult()).toBe(
    '== Which colour?\n[the user left this question empty]\n\n' +
      '== Which sizes?\nThe question could not be asked: the client gave no reason.\n\n' +
      '== When?\nThe question could not be asked: The screen is off.',
  );
});

test('[BT-5] tells the model to discuss the question, and continues the turn', async () => {
  const { stream, answer } = await asked('d1', QUESTIONS.slice(0, 1));
  // A single question needs no index.
  const { body } = await answer({ decision: 'discuss' });
  expect(body.resolution).toEqual({
    id: 'd1',
    kind: 'question',
    reason: 'answered',
    question: 0,
    decision: 'discuss',
  });
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved')).toMatchObject([{ decision: 'discuss' }]);
  expect(eventsOf(events, 'tool_result')[0]).toMatchObject({ is_error: false });
  expect(readResult()).toContain('discuss this');
  expect(textOf(events)).toBe('ok');
});

test('[BT-5] [EV-14] answer_in_text closes the other questions and the turn, and the next message answers', async () => {
  const { client, upstream } = kernel;
  const { chat, stream, answer } = await asked('t1');
  await answer({ question: 0, answer: 'Red' });
  await answer({ question: 2, decision: 'answer_in_text' });
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved').map(({ question, reason }) => [question, reason])).toEqual([
    [0, 'answered'],
    [2, 'answered'],
    [1, 'turn_ended'],
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed', stop_reason: 'ends_turn' });
  const [result] = eventsOf(events, 'tool_result');
  expect(result).toMatchObject({ is_error: false });
  expect(result?.output).toMatch(/== Which colour\?\nRed\n/);
  expect((await answer({ question: 1, answer: 'S' })).body).toMatchObject({
    code: 'already_resolved',
    resolution: { question: 1, reason: 'turn_ended' },
  });
  await client.say(chat.id, 'Both, tomorrow.');
  const roles = upstream.requests.at(-1)?.body.messages.map((message: { role: string }) => message.role);
  expect(roles.slice(-4)).toEqual(['user', 'assistant', 'tool', 'user']);
});

describe('[EV-14] invalid answers leave the question open', () => {
  test('rejects a decision that was not offered, an unknown index, and an empty body', async () => {
    const { client } = kernel;
    const { stream, answer } = await asked('n1', QUESTIONS.slice(0, 2));
    expect(await answer({ question: 0, decision: 'allow' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/decision' }] },
    });
    expect(await answer({ question: 7, answer: 'Red' })).toMatchObject({
      status: 404,
      body: { code: 'unknown_request' },
    });
    expect(await answer({ answer: 'Red' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/question' }] },
    });
    expect((await answer({ question: 0, result: 'Red' })).body.code).toBe('invalid_value');
    expect((await client.listRequests()).requests).toHaveLength(2);
    await answer({ question: 0, answer: 'Red' });
    expect((await answer({ question: 0, answer: 'Blue' })).body).toMatchObject({
      code: 'already_resolved',
      resolution: { question: 0, reason: 'answered' },
    });
    await answer({ question: 1, error: 'The window was closed.' });
    const events = await stream.all();
    expect(eventsOf(events, 'tool_result')[0]?.output).toContain('The window was closed.');
  });

  test('returns an error to the model for input without questions', async () => {
    const { stream } = await asked('n2', []);
    const events = await stream.all();
    expect(eventsOf(events, 'tool_call')[0]?.input).toEqual({ questions: [] });
    expect(eventsOf(events, 'tool_result')[0]).toMatchObject({ is_error: true });
    expect(eventsOf(events, 'request_resolved')).toEqual([]);
  });
});

test('[EV-14] expires an unanswered question without a choice', async () => {
  const clock = new ManualClock();
  const hasty = await startKernel({ clock, settings: { requests: { question_timeout_secs: 300 } } });
  const areOpen = async (count: number) => {
    const requests = async () => (await hasty.client.listRequests()).requests;
    await expect.poll(requests).toHaveLength(count);
  };
  try {
    const { stream, answer } = await asked('e1', QUESTIONS.slice(0, 2), hasty);
    await answer({ question: 1, answer: 'S' });
    await areOpen(1);
    clock.advance(300_000);
    const events = await stream.all();
    expect(eventsOf(events, 'request_resolved').map(({ question, reason }) => [question, reason])).toEqual([
      [1, 'answered'],
      [0, 'expired'],
    ]);
    expect(eventsOf(events, 'tool_result')[0]).toMatchObject({
      is_error: false,
      output: '== Which colour?\nNo answer came from the client in time.\n\n== Which sizes?\nS',
    });
    const alone = await asked('e2', QUESTIONS.slice(0, 1), hasty);
    await areOpen(1);
    clock.advance(300_000);
    expect(eventsOf(await alone.stream.all(), 'tool_result')[0]).toMatchObject({ is_error: true });
  } finally {
    await hasty.stop();
  }
});

test('[EV-13] a cancel during the reply ends the questions of the model', async () => {
  // A provider API in which a call is complete before the response ends.
  const early = await startKernel({ kind: 'anthropic' });
  try {
    const { client, upstream } = early;
    const chat = await client.createChat();
    const call = { id: 'c1', name: 'ask_questions', input: { questions: QUESTIONS.slice(0, 2) } };
    upstream.next(stuck({ call }, { text: 'While you think' }));
    const stream = await client.begin(chat.id, { text: 'Go.', questions: true });
    await stream.until('text_delta');
    expect((await client.listRequests()).requests).toHaveLength(2);
    await client.cancelTurn(chat.id);
    const events = await stream.all();
    expect(eventsOf(events, 'request_resolved').map(({ question, reason }) => [question, reason])).toEqual([
      [0, 'cancelled'],
      [1, 'cancelled'],
    ]);
    expect((await client.listRequests()).requests).toEqual([]);
  } finally {
    await early.stop();
  }
});
