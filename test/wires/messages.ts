/** Answers of Anthropic's Messages API, as servers send them. */
import type { Row } from './rows.ts';

const USAGE = { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3 };
const message = (facts: object = {}) => ({
  type: 'message_start',
  message: { id: 'msg_1', role: 'assistant', content: [], ...facts },
});
const START = message();
const block = (content_block: object, index = 0) => ({ type: 'content_block_start', index, content_block });
const delta = (delta: object, index = 0) => ({ type: 'content_block_delta', index, delta });
const stop = (index = 0) => ({ type: 'content_block_stop', index });
const say = (text: string) => delta({ type: 'text_delta', text });
const json = (partial_json: string, index = 0) => delta({ type: 'input_json_delta', partial_json }, index);
const ending = (stop_reason: string | null, usage: object | null = null) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
});
const OVER = { type: 'message_stop' };
const END = [ending('end_turn'), OVER];
const HELLO = [block({ type: 'text', text: '' }), say('Hello'), stop()];
const use = (facts: object, index = 0) =>
  block({ type: 'tool_use', id: 'a', name: 'shell', input: {}, ...facts }, index);
const overloaded = { type: 'overloaded_error', message: 'Overloaded' };

/** Events as they are, without the type in the data, as some proxies send them. */
const named = (...events: { type: string }[]): string =>
  events.map(({ type, ...data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join('');

export const MESSAGES: readonly Row[] = [
  // Texts and thinking.
  { name: 'a text', events: [START, ...HELLO, ...END], text: 'Hello' },
  {
    name: 'a text that its block brings',
    events: [START, block({ type: 'text', text: 'Hello' }), stop(), ...END],
    text: 'Hello',
  },
  {
    name: 'thinking with its signature at the end',
    events: [
      START,
      block({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: 'Hm.' }),
      delta({ type: 'signature_delta', signature: 's' }),
      stop(),
      ...END,
    ],
    thinking: 'Hm.',
    metadata: [{ anthropic: { signature: 's' } }],
  },
  {
    name: 'thinking as a whole block',
    events: [START, block({ type: 'thinking', thinking: 'Hm.', signature: 's' }), stop(), ...END],
    thinking: 'Hm.',
    metadata: [{ anthropic: { signature: 's' } }],
  },
  {
    name: 'thinking that only Anthropic can read',
    events: [START, block({ type: 'redacted_thinking', data: 'x' }), stop(), ...END],
    metadata: [{ anthropic: { redactedData: 'x' } }],
  },
  { name: 'no start of the message', events: [...HELLO, ...END], text: 'Hello' },
  { name: 'no start of a block', events: [START, say('Hello'), stop(), ...END], text: 'Hello' },
  {
    name: 'no end of a block',
    events: [START, block({ type: 'text', text: '' }), say('Hello'), ...END],
    text: 'Hello',
  },
  {
    name: 'no index',
    events: [
      START,
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_stop' },
      ...END,
    ],
    text: 'Hello',
  },
  {
    name: 'the same index for each block',
    events: [START, ...HELLO, use({}), json('{}'), stop(), ending('tool_use'), OVER],
    text: 'Hello',
    calls: [['shell', {}, 'a']],
  },
  {
    name: 'two starts of the message',
    events: [START, message({ id: 'msg_2' }), ...HELLO, ...END],
    text: 'Hello',
  },
  { name: 'types only as the names of events', body: named(START, ...HELLO, ...END), text: 'Hello' },
  {
    name: 'a whole message in place of a stream',
    body: JSON.stringify({
      type: 'message',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: USAGE,
    }),
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'content in the start of the message',
    events: [message({ content: [{ type: 'text', text: 'Hello' }] }), ...END],
    text: 'Hello',
  },
  {
    name: 'citations',
    events: [START, ...HELLO.slice(0, 2), delta({ type: 'citations_delta', citation: {} }), stop(), ...END],
    text: 'Hello',
  },
  {
    name: 'null fields',
    events: [
      { type: 'message_start', message: null },
      { type: 'content_block_start', index: 0, content_block: null },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: null } },
      ...HELLO,
      { type: 'message_delta', delta: null, usage: null },
      ...END,
    ],
    text: 'Hello',
    lost: ['content_block_start undefined'],
  },

  // Calls.
  {
    name: 'a call in pieces',
    events: [START, use({}), json(''), json('{"x"'), json(':1}'), stop(), ending('tool_use'), OVER],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'two calls whose pieces alternate',
    events: [
      START,
      use({}, 0),
      use({ id: 'b', name: 'two' }, 1),
      json('{"x"', 0),
      json('{', 1),
      json(':1}', 0),
      json('}', 1),
      stop(0),
      stop(1),
      ending('tool_use'),
      OVER,
    ],
    calls: [
      ['shell', { x: 1 }, 'a'],
      ['two', {}, 'b'],
    ],
  },
  {
    name: 'a call whose block brings the input',
    events: [START, use({ input: { x: 1 } }), stop(), ending('tool_use'), OVER],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'an input that comes twice',
    events: [START, use({ input: { x: 1 } }), json('{"x":1}'), stop(), ending('tool_use'), OVER],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'no end of a call',
    events: [START, use({}), json('{"x":1}'), ending('tool_use'), OVER],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'no input',
    events: [START, use({}), stop(), ending('tool_use'), OVER],
    calls: [['shell', {}, 'a']],
  },
  {
    name: 'a call without id and name',
    events: [START, block({ type: 'tool_use' }), stop(), ending('tool_use'), OVER],
    calls: [['', {}, '']],
  },
  {
    name: 'calls that end with end_turn',
    events: [START, use({}), stop(), ...END],
    calls: [['shell', {}, 'a']],
  },

  // Unknown parts.
  {
    name: 'an unknown event',
    events: [START, { type: 'heartbeat', at: 1 }, ...HELLO, ...END],
    text: 'Hello',
    unread: ['heartbeat'],
  },
  {
    name: 'an unknown event with content',
    events: [START, { type: 'poem', content: 'Roses' }, ...HELLO, ...END],
    text: 'Hello',
    lost: ['poem'],
  },
  {
    name: 'an unknown block',
    events: [START, block({ type: 'poem' }, 1), delta({ type: 'poem_delta' }, 1), stop(1), ...HELLO, ...END],
    text: 'Hello',
    lost: ['content_block_start poem'],
  },
  {
    name: 'an unknown delta',
    events: [START, ...HELLO.slice(0, 2), delta({ type: 'poem_delta', poem: 'Roses' }), stop(), ...END],
    text: 'Hello',
    lost: ['content_block_delta poem_delta'],
  },
  { name: 'pings', events: [{ type: 'ping' }, START, { type: 'ping' }, ...HELLO, ...END], text: 'Hello' },
  { name: 'unknown fields', events: [{ ...START, new: 1 }, ...HELLO, ...END], text: 'Hello' },

  // Endings and usage.
  {
    name: 'the length',
    events: [START, ...HELLO, ending('max_tokens'), OVER],
    text: 'Hello',
    finish: 'length',
  },
  {
    name: 'the end of the window',
    events: [START, ...HELLO, ending('model_context_window_exceeded'), OVER],
    text: 'Hello',
    finish: 'length',
  },
  { name: 'a pause', events: [START, ...HELLO, ending('pause_turn'), OVER], text: 'Hello', finish: 'length' },
  {
    name: 'a refusal',
    events: [START, ...HELLO, ending('refusal'), OVER],
    text: 'Hello',
    finish: 'content_filter',
  },
  { name: 'a stop sequence', events: [START, ...HELLO, ending('stop_sequence'), OVER], text: 'Hello' },
  {
    name: 'a reason that nobody knows',
    events: [START, ...HELLO, ending('tired'), OVER],
    text: 'Hello',
    finish: 'other',
  },
  {
    name: 'a reason and a delta that every object has',
    events: [START, ...HELLO, delta({ type: 'constructor' }, 9), ending('constructor'), OVER],
    text: 'Hello',
    finish: 'other',
    lost: ['content_block_delta constructor'],
  },
  { name: 'no end of the message', events: [START, ...HELLO, ending('end_turn')], text: 'Hello' },
  { name: 'no reason', events: [START, ...HELLO, OVER], text: 'Hello' },
  {
    name: 'an end mark of another API',
    events: [START, ...HELLO, ending('end_turn'), '[DONE]'],
    text: 'Hello',
  },
  { name: 'an event after the end', events: [START, ...HELLO, ...END, say('more')], text: 'Hello' },
  {
    name: 'usage at the start and at the end',
    events: [
      message({ usage: { ...USAGE, output_tokens: 1 } }),
      ...HELLO,
      ending('end_turn', { output_tokens: 3 }),
      OVER,
    ],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage only at the end',
    events: [START, ...HELLO, ending('end_turn', USAGE), OVER],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage that is null at the end',
    events: [
      message({ usage: USAGE }),
      ...HELLO,
      ending('end_turn', { input_tokens: null, output_tokens: null }),
      OVER,
    ],
    text: 'Hello',
    usage: [7, 3],
  },

  // Failures inside of a stream that began with 200.
  { name: 'an error', events: [START, { type: 'error', error: overloaded }], error: 'Overloaded' },
  {
    name: 'an error after text',
    events: [START, ...HELLO, { type: 'error', error: overloaded }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'an error without a type',
    events: [START, ...HELLO, { error: { message: 'Overloaded' } }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'an error event with a message',
    body: `${named(START, ...HELLO)}event: error\ndata: {"message":"Overloaded"}\n\n`,
    text: 'Hello',
    error: 'Overloaded',
  },
  { name: 'a message in place of an event', events: [START, { message: 'Overloaded' }], error: 'Overloaded' },
  { name: 'a detail (FastAPI)', events: [START, { detail: 'Overloaded' }], error: 'Overloaded' },
  {
    name: 'an error as JSON in place of a stream',
    body: JSON.stringify({ type: 'error', error: overloaded }),
    error: 'Overloaded',
  },
  {
    name: 'text that is not JSON',
    events: [START, 'upstream connect error'],
    error: 'not JSON: upstream connect error',
  },
  { name: 'an end without a reason', events: [START, ...HELLO], text: 'Hello', error: 'broke off' },
  { name: 'a call that breaks off', events: [START, use({}), json('{"x"')], error: 'broke off' },
  { name: 'nothing', body: '', error: 'broke off' },
];
