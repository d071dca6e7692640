/**
 * Tests replies that end early, refused or empty: the stream contains the reason, and a note in history explains it.
 */
import type OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { MODEL, openaiOf } from '../harness/openai.ts';
import { rawUpstream } from '../harness/raw-upstream.ts';
import type { Kind } from '../harness/settings.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';
import type { ScriptedReply } from '../upstream/reply.ts';

const FILTERED = "[filtered] The provider's content filter stopped this reply.";
const TRUNCATED = '[truncated] This reply was cut off before its end.';
const EMPTY = '[empty] The model ended this turn without a reply.';

const kernel = sharedKernel();

/** A kernel whose provider responds to every request with these bytes. */
async function kernelOver(kind: Kind, answer: string): Promise<TestKernel> {
  const upstream = await rawUpstream(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer);
  });
  const over = await startKernel({ upstream, kind });
  onTestFinished(async () => {
    await upstream.close();
    await over.stop();
  });
  return over;
}

/** Returns the end of a turn and its items, which history repeats. */
async function endOf({ client }: Pick<TestKernel, 'client'>) {
  const chat = await client.createChat();
  const events = await client.say(chat.id, 'Go.');
  const [done] = eventsOf(events, 'done');
  const items = foldItems(events);
  expect(comparable(await client.items(chat.id))).toEqual(comparable(items));
  return {
    chat,
    events,
    status: done?.status,
    stop_reason: done?.stop_reason,
    items: items.map(item => [item.kind, 'text' in item ? item.text : undefined]),
    notes: items.flatMap(item => (item.kind === 'machine_note' ? [item.note] : [])),
  };
}

const cases: readonly [string, ScriptedReply, string, string[], string][] = [
  [
    'filtered at once',
    { steps: [], finish: 'content_filter' },
    'content_filter',
    ['reply_filtered'],
    FILTERED,
  ],
  [
    'filtered in the middle',
    { steps: [{ text: 'cut' }], finish: 'content_filter' },
    'content_filter',
    ['reply_filtered'],
    FILTERED,
  ],
  ['truncated', { steps: [{ text: 'cut' }], finish: 'length' }, 'length', ['reply_truncated'], TRUNCATED],
  ['empty', { steps: [] }, 'stop', ['reply_empty'], EMPTY],
  ['blank', { steps: [{ text: ' \n' }] }, 'stop', ['reply_empty'], EMPTY],
  ['only thinking', { steps: [{ thinking: 'Hm.' }] }, 'stop', ['reply_empty'], EMPTY],
];

test.each(cases)('[EV-10] adds a note to a reply that is %s', async (_, reply, stop_reason, notes, text) => {
  kernel.upstream.next(reply);
  const end = await endOf(kernel);
  expect(end).toMatchObject({ status: 'completed', stop_reason, notes });
  expect(end.items.at(-1)).toEqual(['machine_note', text]);
  // The model gets its history without the note.
  expect(textOf(await kernel.client.say(end.chat.id, 'And?'))).toBe('ok');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).not.toContain(text);
});

test('[EV-10] adds no note to an ordinary reply and to a turn that ends by its tool', async () => {
  kernel.upstream.next(calls('c', 'plan', { tasks: [] }), says('Done.'));
  expect(await endOf(kernel)).toMatchObject({ stop_reason: 'stop', notes: [] });
});

const event = (type: string, facts: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...facts })}\n\n`;
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
};
const PAUSED = [
  event('message_start', { message: { ...message, usage: { input_tokens: 5, output_tokens: 1 } } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'I am' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 5 } }),
  event('message_stop'),
].join('');

test("[EV-10] treats Anthropic's pause_turn as a reply that was cut off", async () => {
  const end = await endOf(await kernelOver('anthropic', PAUSED));
  expect(end).toMatchObject({ status: 'completed', stop_reason: 'length', notes: ['reply_truncated'] });
  expect(end.items).toEqual([
    ['agent_message', 'I am'],
    ['machine_note', TRUNCATED],
  ]);
});

test('[WIRE-10] names each kind of part that it could not read once, counts all, and continues', async () => {
  const poem = (index: number) => event('content_block_start', { index, content_block: { type: 'poem' } });
  const over = await kernelOver('anthropic', [poem(1), poem(2), event('heartbeat'), PAUSED].join(''));
  const end = await endOf(over);
  expect(end.items).toEqual([
    ['machine_note', '[unread] A part of this reply could not be read. (content_block_start poem)'],
    ['agent_message', 'I am'],
    ['machine_note', TRUNCATED],
  ]);
  const { body } = await over.api.raw('/metrics', { method: 'GET' });
  expect(String(body).match(/^chat_kernel_unknown_parts_total.*/gm)).toEqual([
    'chat_kernel_unknown_parts_total{source="scripted",shape="content_block_start poem"} 2',
    'chat_kernel_unknown_parts_total{source="scripted",shape="heartbeat"} 1',
  ]);
});

test('[WIRE-8] leaves out a tool that the provider refuses, says so, and continues', async () => {
  const refusal = { message: "Invalid schema for function 'shell'" };
  kernel.upstream.next({ status: 400, error: { body: JSON.stringify({ error: refusal }) } }, says('Done.'));
  expect((await endOf(kernel)).items).toEqual([
    [
      'machine_note',
      "[repaired] The provider refused a part of the request. The tool shell (shell) is left out from now on: scripted answered 400: Invalid schema for function 'shell'",
    ],
    ['agent_message', 'Done.'],
  ]);
});

test("[EV-10] treats Gemini's block of a prompt as its content filter", async () => {
  const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: {} };
  const end = await endOf(await kernelOver('google', `data: ${JSON.stringify(blocked)}\r\n\r\n`));
  expect(end).toMatchObject({
    status: 'completed',
    stop_reason: 'content_filter',
    notes: ['reply_filtered'],
    items: [['machine_note', FILTERED]],
  });
});

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const REFUSAL = `${chunk({ role: 'assistant', content: '' })}${chunk({ refusal: 'I will ' })}${chunk({ refusal: 'not.' })}${chunk({}, 'stop')}data: [DONE]\n\n`;

test('[EV-10] [FACE-1] returns a refusal as text with content_filter, and as message.refusal in a completion', async () => {
  const over = await kernelOver('openai-compatible', REFUSAL);
  const end = await endOf(over);
  expect(end).toMatchObject({
    status: 'completed',
    stop_reason: 'content_filter',
    items: [
      ['agent_message', 'I will not.'],
      ['machine_note', FILTERED],
    ],
  });
  expect(eventsOf(end.events, 'text_delta').every(({ refusal }) => refusal === true)).toBe(true);

  const openai = openaiOf(over);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Help me rob a bank.' }];
  const { data, response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(data.choices[0]).toMatchObject({
    finish_reason: 'content_filter',
    message: { role: 'assistant', content: null, refusal: 'I will not.' },
  });
  // A client that repeats the refusal continues in the same chat.
  messages.push(data.choices[0]!.message, { role: 'user', content: 'Please.' });
  const next = await openai.chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(next.response.headers.get('x-chat-id')).toBe(response.headers.get('x-chat-id'));

  const stream = openai.chat.completions.stream({ model: MODEL, messages: messages.slice(0, 1) });
  const whole = await stream.finalChatCompletion();
  expect(whole.choices[0]?.message).toMatchObject({ refusal: 'I will not.' });
});

test('[EV-10] [FACE-1] finds a conversation with a truncated reply by the history of its chat', async () => {
  const { upstream, client } = kernel;
  upstream.next({ steps: [{ text: 'cut' }], finish: 'length' });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Tell me all.' }];
  const first = await openaiOf(kernel).chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(first.data.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'cut' } });
  messages.push(first.data.choices[0]!.message, { role: 'user', content: 'Go on.' });
  const id = first.response.headers.get('x-chat-id')!;
  const second = await openaiOf(kernel).chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(second.response.headers.get('x-chat-id')).toBe(id);
  // A message of another client makes the face discard its cache and read the history.
  await client.say(id, 'From elsewhere.');
  messages.push(
    second.data.choices[0]!.message,
    { role: 'user', content: 'From elsewhere.' },
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: 'And now?' },
  );
  const third = await openaiOf(kernel).chat.completions.create({ model: MODEL, messages }).withResponse();
  expect(third.response.headers.get('x-chat-id')).toBe(id);
});
