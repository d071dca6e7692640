/** Answers of OpenAI's Responses API, as servers send them. */
import type { Row } from './rows.ts';

const CREATED = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } };
const USAGE = { input_tokens: 7, output_tokens: 3 };
const added = (item: object, output_index = 0) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (item: object, output_index = 0) => ({ type: 'response.output_item.done', output_index, item });
const over = (facts: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', ...facts },
});
const say = (delta: string, facts: object = {}) => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta,
  ...facts,
});
const output = (text: string) => ({ type: 'output_text', text, annotations: [] });
const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [output(text)],
});
const MESSAGE = message('Hello');
const BEGUN = { ...MESSAGE, content: [] };
const call = (facts: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'a',
  name: 'shell',
  arguments: '{"x":1}',
  ...facts,
});
const piece = (delta: string, output_index = 0) => ({
  type: 'response.function_call_arguments.delta',
  item_id: 'fc_1',
  output_index,
  delta,
});
const reasoning = (facts: object = {}) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...facts });
const think = (delta: string, summary_index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  item_id: 'rs_1',
  output_index: 0,
  summary_index,
  delta,
});
const summary = (...texts: string[]) => ({ summary: texts.map(text => ({ type: 'summary_text', text })) });
const without = <T extends object>(event: T, ...fields: (keyof T)[]): object =>
  Object.fromEntries(Object.entries(event).filter(([field]) => !fields.includes(field as keyof T)));

export const RESPONSES: readonly Row[] = [
  // Texts.
  {
    name: 'a text in deltas',
    events: [CREATED, added(BEGUN), say('Hel'), say('lo'), done(MESSAGE), over({ output: [MESSAGE] })],
    text: 'Hello',
    metadata: [{ openai: { itemId: 'msg_1' } }],
  },
  {
    name: 'a text only at the end of its item',
    events: [CREATED, added(BEGUN), done(MESSAGE), over()],
    text: 'Hello',
  },
  {
    name: 'a text only in the end of its item, which has no start',
    events: [done(MESSAGE), over()],
    text: 'Hello',
  },
  {
    name: 'a text only at the end of the answer',
    events: [CREATED, over({ output: [MESSAGE] })],
    text: 'Hello',
  },
  {
    name: 'a text only in its own end',
    events: [
      CREATED,
      {
        type: 'response.output_text.done',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        text: 'Hello',
      },
      over(),
    ],
    text: 'Hello',
  },
  {
    name: 'a part in deltas, and another only at the end',
    events: [added(BEGUN), say('Hel'), done({ ...MESSAGE, content: [output('Hel'), output('lo')] }), over()],
    text: 'Hello',
  },
  { name: 'no end of the item', events: [added(BEGUN), say('Hello'), over()], text: 'Hello' },
  { name: 'only deltas', events: [say('Hello'), over()], text: 'Hello' },
  {
    name: 'deltas without a place',
    events: [
      added(BEGUN),
      without(say('Hel'), 'output_index', 'content_index'),
      without(say('lo'), 'output_index', 'content_index'),
      done(MESSAGE),
      over({ output: [MESSAGE] }),
    ],
    text: 'Hello',
  },
  {
    name: 'deltas without place and id',
    events: [
      added(BEGUN),
      without(say('Hello'), 'output_index', 'content_index', 'item_id'),
      done(MESSAGE),
      over({ output: [MESSAGE] }),
    ],
    text: 'Hello',
  },
  {
    name: 'an id that changes with each event',
    events: [
      added({ ...BEGUN, id: 'a' }),
      say('Hel', { item_id: 'b' }),
      say('lo', { item_id: 'c' }),
      done({ ...MESSAGE, id: 'd' }),
      over({ output: [{ ...MESSAGE, id: 'e' }] }),
    ],
    text: 'Hello',
    metadata: [{ openai: { itemId: 'a' } }],
  },
  {
    name: 'the phase of a text',
    events: [added(BEGUN), say('Hello'), done({ ...MESSAGE, phase: 'final_answer' }), over()],
    text: 'Hello',
    metadata: [{ openai: { itemId: 'msg_1', phase: 'final_answer' } }],
  },
  {
    name: 'a refusal in deltas',
    events: [added(BEGUN), { ...say('No.'), type: 'response.refusal.delta' }, over()],
    text: 'No.',
    finish: 'content_filter',
  },
  {
    name: 'a refusal only at the end of its item',
    events: [done({ ...BEGUN, content: [{ type: 'refusal', refusal: 'No.' }] }), over()],
    text: 'No.',
    finish: 'content_filter',
  },
  {
    name: 'types only as the names of events',
    body: `event: response.output_text.delta\ndata: {"delta":"Hello"}\n\nevent: response.completed\ndata: {"response":{}}\n\n`,
    text: 'Hello',
  },
  {
    name: 'a whole answer as JSON in place of a stream',
    body: JSON.stringify({
      object: 'response',
      status: 'completed',
      error: null,
      output: [MESSAGE],
      usage: USAGE,
    }),
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'null fields',
    events: [
      { type: 'response.created', response: null },
      { type: 'response.output_item.added', output_index: null, item: null },
      { type: 'response.output_text.delta', delta: null },
      say('Hello'),
      over({ output: null, usage: null, incomplete_details: null, error: null }),
    ],
    text: 'Hello',
  },

  // Thinking.
  {
    name: 'a summary in deltas',
    events: [
      added(reasoning()),
      think('Hm.'),
      done(reasoning({ ...summary('Hm.'), encrypted_content: 'x' })),
      over(),
    ],
    thinking: 'Hm.',
    metadata: [{ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x' } }],
  },
  {
    name: 'a summary in two parts',
    events: [
      added(reasoning()),
      think('Hm.'),
      think('So.', 1),
      done(reasoning({ ...summary('Hm.', 'So.'), encrypted_content: 'x' })),
      over(),
    ],
    thinking: 'Hm.So.',
    metadata: [
      { openai: { itemId: 'rs_1' } },
      { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x' } },
    ],
  },
  {
    name: 'a summary only at the end of its item',
    events: [done(reasoning({ ...summary('Hm.'), encrypted_content: 'x' })), over()],
    thinking: 'Hm.',
    metadata: [{ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x' } }],
  },
  {
    name: 'thinking without a summary',
    events: [added(reasoning()), done(reasoning({ encrypted_content: 'x' })), over()],
    metadata: [{ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x' } }],
  },
  {
    name: 'the thinking of an open model',
    events: [
      added(reasoning()),
      { ...say('Hm.'), type: 'response.reasoning_text.delta', item_id: 'rs_1' },
      done(reasoning({ content: [{ type: 'reasoning_text', text: 'Hm.' }] })),
      over(),
    ],
    thinking: 'Hm.',
  },
  {
    name: 'the thinking of an open model only at the end of its item',
    events: [done(reasoning({ content: [{ type: 'reasoning_text', text: 'Hm.' }] })), over()],
    thinking: 'Hm.',
  },

  // Calls.
  {
    name: 'a call in pieces',
    events: [
      added(call({ arguments: '' })),
      piece('{"x"'),
      piece(':1}'),
      done(call()),
      over({ output: [call()] }),
    ],
    calls: [['shell', { x: 1 }, 'a']],
    metadata: [{ openai: { itemId: 'fc_1' } }],
  },
  {
    name: 'a call only at the end of its item',
    events: [done(call()), over()],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'a call only at the end of the answer',
    events: [over({ output: [call()] })],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'pieces, and an end without the input',
    events: [added(call({ arguments: '' })), piece('{"x":1}'), done(call({ arguments: '' })), over()],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'two calls whose pieces alternate',
    events: [
      added(call({ arguments: '' })),
      added(call({ id: 'fc_2', call_id: 'b', name: 'two', arguments: '' }), 1),
      piece('{"x"'),
      { ...piece('{', 1), item_id: 'fc_2' },
      piece(':1}'),
      { ...piece('}', 1), item_id: 'fc_2' },
      done(call({ arguments: undefined })),
      done(call({ id: 'fc_2', call_id: 'b', name: 'two', arguments: undefined }), 1),
      over(),
    ],
    calls: [
      ['shell', { x: 1 }, 'a'],
      ['two', {}, 'b'],
    ],
  },
  {
    name: 'a call without a call_id',
    events: [done(call({ call_id: undefined })), over()],
    calls: [['shell', { x: 1 }, 'fc_1']],
  },

  {
    name: 'an image',
    events: [
      done({ type: 'image_generation_call', id: 'ig_1', output_format: 'png', result: 'ZG90' }),
      over(),
    ],
    images: ['dot'],
  },

  // Unknown parts.
  {
    name: 'an unknown event',
    events: [CREATED, { type: 'response.heartbeat' }, say('Hello'), over()],
    text: 'Hello',
    unread: ['response.heartbeat'],
  },
  {
    name: 'an unknown event with a delta',
    events: [say('Hello'), { type: 'response.poem.delta', delta: 'Roses' }, over()],
    text: 'Hello',
    lost: ['response.poem.delta'],
  },
  {
    name: 'an unknown item',
    events: [say('Hello'), done({ type: 'poem' }, 1), over()],
    text: 'Hello',
    lost: ['output_item poem'],
  },
  {
    name: 'an unknown part',
    events: [done({ ...MESSAGE, content: [output('Hello'), { type: 'poem' }] }), over()],
    text: 'Hello',
    lost: ['output_item part poem'],
  },
  {
    name: 'events about the progress',
    events: [
      CREATED,
      { type: 'response.queued' },
      { type: 'response.in_progress' },
      added(BEGUN),
      { type: 'response.content_part.added', part: output('') },
      say('Hello'),
      { type: 'response.output_text.annotation.added', annotation: {} },
      { type: 'response.content_part.done', part: output('Hello') },
      over(),
    ],
    text: 'Hello',
  },

  // Endings and usage.
  {
    name: 'the length',
    events: [
      say('Hello'),
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
    ],
    text: 'Hello',
    finish: 'length',
  },
  {
    name: 'the filter',
    events: [
      say('Hello'),
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } },
    ],
    text: 'Hello',
    finish: 'content_filter',
  },
  {
    name: 'a reason that nobody knows',
    events: [
      say('Hello'),
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'tired' } } },
    ],
    text: 'Hello',
    finish: 'other',
  },
  { name: 'usage', events: [say('Hello'), over({ usage: USAGE })], text: 'Hello', usage: [7, 3] },
  { name: 'an end mark after the end', events: [say('Hello'), over(), '[DONE]'], text: 'Hello' },
  { name: 'an event after the end', events: [say('Hello'), over(), say('more')], text: 'Hello' },

  // Failures inside of a stream that began with 200.
  {
    name: 'a failed answer',
    events: [
      CREATED,
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_error', message: 'Overloaded' } },
      },
    ],
    error: 'Overloaded',
  },
  {
    name: 'a failed answer without an error',
    events: [say('Hello'), { type: 'response.failed', response: { status: 'failed' } }],
    text: 'Hello',
    error: 'broke off',
  },
  {
    name: 'an error event',
    events: [say('Hello'), { type: 'error', code: 'x', message: 'Overloaded' }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'an error object',
    events: [say('Hello'), { type: 'error', error: { message: 'Overloaded' } }],
    text: 'Hello',
    error: 'Overloaded',
  },
  { name: 'an error without a type', events: [{ error: { message: 'Overloaded' } }], error: 'Overloaded' },
  { name: 'a message in place of an event', events: [{ message: 'Overloaded' }], error: 'Overloaded' },
  {
    name: 'a failed answer as JSON in place of a stream',
    body: JSON.stringify({ object: 'response', status: 'failed', error: { message: 'Overloaded' } }),
    error: 'Overloaded',
  },
  { name: 'an end without a reason', events: [say('Hello')], text: 'Hello', error: 'broke off' },
  { name: 'an end mark alone', events: [say('Hello'), '[DONE]'], text: 'Hello', error: 'broke off' },
  {
    name: 'a call that breaks off',
    events: [added(call({ arguments: '' })), piece('{"x"')],
    error: 'broke off',
  },
  { name: 'nothing', body: '', error: 'broke off' },
];
