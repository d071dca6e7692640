/** Chat Completions: what OpenAI, and servers that resemble it, send. */
import type { Row } from './rows.ts';

const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });
const end = (finish_reason: string | null = 'stop') => ({
  choices: [{ index: 0, delta: {}, finish_reason }],
});
const call = (fields: object) => delta({ tool_calls: [fields] });
const fn = (name: string | undefined, args: unknown) => ({
  function: { ...(name !== undefined && { name }), arguments: args },
});
const USAGE = { prompt_tokens: 7, completion_tokens: 3 };
const HELLO = delta({ content: 'Hello' });
const PNG = { image_url: { url: `data:image/png;base64,${Buffer.from('dot').toString('base64')}` } };
const lines = (...events: object[]) => events.map(event => `data: ${JSON.stringify(event)}`);
const CALLS = 'tool_calls';

export const CHAT_COMPLETIONS: readonly Row[] = [
  // Content.
  {
    name: 'text in pieces',
    events: [delta({ content: 'Hel' }), delta({ content: 'lo 😀' }), end()],
    text: 'Hello 😀',
  },
  {
    name: 'null, empty and absent content',
    events: [delta({ content: null }), delta({ content: '' }), delta({}), HELLO, end()],
    text: 'Hello',
  },
  { name: 'content of another type', events: [delta({ content: 5 }), HELLO, end()], text: 'Hello' },
  {
    name: 'content as a list of parts (Mistral)',
    events: [
      delta({ content: [{ type: 'text', text: 'Hel' }] }),
      delta({ content: [{ type: 'text', text: 'lo' }] }),
      end(),
    ],
    text: 'Hello',
  },
  {
    name: 'thinking as a part with parts (Mistral)',
    events: [
      delta({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'Hello' },
        ],
      }),
      end(),
    ],
    thinking: 'Hm.',
    text: 'Hello',
  },
  {
    name: 'thinking as a part with text',
    events: [delta({ content: [{ type: 'thinking', thinking: 'Hm.' }] }), HELLO, end()],
    thinking: 'Hm.',
    text: 'Hello',
  },
  {
    name: 'a text part without a type',
    events: [delta({ content: [{ text: 'Hello' }] }), end()],
    text: 'Hello',
  },
  {
    name: 'thinking in reasoning_content (DeepSeek)',
    events: [delta({ reasoning_content: 'Hm.' }), HELLO, end()],
    thinking: 'Hm.',
    text: 'Hello',
  },
  {
    name: 'thinking in reasoning (OpenRouter)',
    events: [delta({ reasoning: 'Hm.', content: '' }), HELLO, end()],
    thinking: 'Hm.',
    text: 'Hello',
  },
  {
    name: 'a refusal beside the content',
    events: [delta({ refusal: 'No.' }), end()],
    text: 'No.',
    finish: 'content_filter',
  },
  {
    name: 'a refusal as a part',
    events: [delta({ content: [{ type: 'refusal', refusal: 'No.' }] }), end()],
    text: 'No.',
    finish: 'content_filter',
  },
  { name: 'images beside the content', events: [delta({ images: [PNG] }), end()], images: ['dot'] },
  {
    name: 'an image as a part',
    events: [delta({ content: [{ type: 'image_url', ...PNG }] }), end()],
    images: ['dot'],
  },
  {
    name: 'a whole message in place of deltas',
    events: [{ choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] }],
    text: 'Hello',
  },

  // Calls.
  {
    name: 'a call in pieces',
    events: [
      call({ index: 0, id: 'a', ...fn('shell', '{"x"') }),
      call({ index: 0, ...fn(undefined, ':1}') }),
      end(CALLS),
    ],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'two calls, whose pieces alternate',
    events: [
      call({ index: 0, id: 'a', ...fn('one', '{') }),
      call({ index: 1, id: 'b', ...fn('two', '{') }),
      call({ index: 0, ...fn(undefined, '}') }),
      call({ index: 1, ...fn(undefined, '}') }),
      end(CALLS),
    ],
    calls: [
      ['one', {}, 'a'],
      ['two', {}, 'b'],
    ],
  },
  {
    name: 'pieces without an index that repeat the id',
    events: [
      call({ id: 'a', ...fn('shell', '{"x"') }),
      call({ id: 'a', ...fn(undefined, ':1}') }),
      end(CALLS),
    ],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'pieces without an index, each with another id',
    events: [call({ id: 'a', ...fn('shell', '{"x"') }), call({ id: 'b', ...fn('', ':1}') }), end(CALLS)],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'pieces with an index, each with another id',
    events: [
      call({ index: 0, id: 'a', ...fn('shell', '{"x"') }),
      call({ index: 0, id: 'b', ...fn(undefined, ':1}') }),
      end(CALLS),
    ],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'the name in every piece',
    events: [
      call({ index: 0, id: 'a', ...fn('shell', '{"x"') }),
      call({ index: 0, id: 'a', ...fn('shell', ':1}') }),
      end(CALLS),
    ],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'the name in every piece, without index and id',
    events: [call(fn('shell', '{"x"')), call(fn('shell', ':1}')), end(CALLS)],
    calls: [['shell', { x: 1 }]],
  },
  {
    name: 'two whole calls without index and id',
    events: [call(fn('shell', '{"x":1}')), call(fn('shell', '{"x":2}')), end(CALLS)],
    calls: [
      ['shell', { x: 1 }],
      ['shell', { x: 2 }],
    ],
  },
  {
    name: 'two whole calls without an index',
    events: [call({ id: 'a', ...fn('shell', '{}') }), call({ id: 'b', ...fn('shell', '{}') }), end(CALLS)],
    calls: [
      ['shell', {}, 'a'],
      ['shell', {}, 'b'],
    ],
  },
  {
    name: 'two calls with the same index',
    events: [
      call({ index: 0, id: 'a', ...fn('one', '{}') }),
      call({ index: 0, id: 'b', ...fn('two', '{}') }),
      end(CALLS),
    ],
    calls: [
      ['one', {}, 'a'],
      ['two', {}, 'b'],
    ],
  },
  {
    name: 'an index that grows with each piece',
    events: [
      call({ index: 0, id: 'a', ...fn('shell', '{"x"') }),
      call({ index: 1, ...fn(undefined, ':1}') }),
      end(CALLS),
    ],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'the id before the name',
    events: [call({ index: 0, id: 'a' }), call({ index: 0, ...fn('shell', '{}') }), end(CALLS)],
    calls: [['shell', {}, 'a']],
  },
  {
    name: 'arguments as an object',
    events: [call({ index: 0, id: 'a', ...fn('shell', { x: 1 }) }), end(CALLS)],
    calls: [['shell', { x: 1 }, 'a']],
  },
  {
    name: 'no arguments',
    events: [call({ index: 0, id: 'a', ...fn('shell', null) }), end(CALLS)],
    calls: [['shell', {}, 'a']],
  },
  {
    name: 'the old function_call',
    events: [
      delta({ function_call: { name: 'shell', arguments: '{"x"' } }),
      delta({ function_call: { arguments: ':1}' } }),
      end('function_call'),
    ],
    calls: [['shell', { x: 1 }]],
  },
  {
    name: 'calls that end with stop',
    events: [call({ index: 0, id: 'a', ...fn('shell', '{}') }), end('stop')],
    calls: [['shell', {}, 'a']],
  },
  {
    name: 'calls in a whole message',
    events: [
      {
        choices: [
          {
            message: {
              content: null,
              tool_calls: [
                { id: 'a', ...fn('one', '{}') },
                { id: 'b', ...fn('two', '{}') },
              ],
            },
            finish_reason: CALLS,
          },
        ],
      },
    ],
    calls: [
      ['one', {}, 'a'],
      ['two', {}, 'b'],
    ],
  },

  // Endings and usage.
  { name: 'the length', events: [HELLO, end('length')], text: 'Hello', finish: 'length' },
  { name: 'the filter', events: [HELLO, end('content_filter')], text: 'Hello', finish: 'content_filter' },
  { name: 'a reason that nobody knows', events: [HELLO, end('eos')], text: 'Hello', finish: 'other' },
  {
    name: 'a reason that every object has',
    events: [HELLO, end('constructor')],
    text: 'Hello',
    finish: 'other',
  },
  { name: 'no reason but an end mark', events: [HELLO, end(null), '[DONE]'], text: 'Hello' },
  { name: 'no end mark', events: [HELLO, end()], text: 'Hello' },
  {
    name: 'usage with the last delta',
    events: [HELLO, { ...end(), usage: USAGE }, '[DONE]'],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage in an event of its own',
    events: [HELLO, end(), { choices: [], usage: USAGE }, '[DONE]'],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage in every event',
    events: [
      { ...HELLO, usage: { prompt_tokens: 7, completion_tokens: 1 } },
      { ...end(), usage: USAGE },
    ],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage in the choice (Moonshot)',
    events: [HELLO, { choices: [{ delta: {}, finish_reason: 'stop', usage: USAGE }] }],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage in x_groq (Groq)',
    events: [HELLO, { ...end(), x_groq: { usage: USAGE } }],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'an event after the end mark',
    events: [HELLO, end(), '[DONE]', delta({ content: 'more' })],
    text: 'Hello',
  },
  {
    name: 'unknown fields, null fields and no choices',
    events: [{ id: 'x', choices: null, extra: 1 }, {}, { choices: [{ delta: null }] }, HELLO, end()],
    text: 'Hello',
  },

  // Failures inside of a stream that began with 200.
  {
    name: 'an error object',
    events: [{ error: { message: 'Overloaded', type: 'server_error' } }],
    error: 'Overloaded',
  },
  { name: 'an error text', events: [HELLO, { error: 'Overloaded' }], text: 'Hello', error: 'Overloaded' },
  {
    name: 'an error event with a message (llama.cpp)',
    body: `${lines(HELLO)[0]}\n\nevent: error\ndata: {"message":"Overloaded"}\n\n`,
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'a message in place of choices',
    events: [HELLO, { message: 'Overloaded' }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'an object that is an error (vLLM)',
    events: [HELLO, { object: 'error', message: 'Overloaded', code: 500 }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'a type that is an error',
    events: [HELLO, { type: 'error', error: { message: 'Overloaded' } }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'a detail (FastAPI)',
    events: [HELLO, { detail: 'Overloaded' }],
    text: 'Hello',
    error: 'Overloaded',
  },
  { name: 'an error as the finish reason', events: [HELLO, end('error')], text: 'Hello', error: 'broke off' },
  {
    name: 'text that is not JSON',
    events: [HELLO, 'upstream connect error'],
    text: 'Hello',
    error: 'The response is not JSON: upstream connect error',
  },
  { name: 'an end without a reason', events: [HELLO], text: 'Hello', error: 'broke off' },
  { name: 'nothing', body: '', error: 'broke off' },

  // The frame of the stream.
  { name: 'lines that end in CR LF', body: `${lines(HELLO, end()).join('\r\n\r\n')}\r\n\r\n`, text: 'Hello' },
  { name: 'lines that end in CR', body: `${lines(HELLO, end()).join('\r\r')}\r\r`, text: 'Hello' },
  { name: 'a byte order mark', body: `\ufeff${lines(HELLO, end()).join('\n\n')}\n\n`, text: 'Hello' },
  {
    name: 'comments and unknown fields',
    body: `: hi\n\nretry: 1\nid: 4\n${lines(HELLO, end()).join('\n: more\n\n')}\n\n`,
    text: 'Hello',
  },
  {
    name: 'no space after the colon, and no empty line at the end',
    body: `${lines(HELLO, end()).join('\n\n').replaceAll('data: ', 'data:')}`,
    text: 'Hello',
  },
  {
    name: 'a whole answer as JSON in place of a stream',
    body: JSON.stringify({
      choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
      usage: USAGE,
    }),
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'the same on several lines',
    body: `\n${JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'length' }] }, null, 2)}\n`,
    text: 'Hello',
    finish: 'length',
  },
  {
    name: 'an error as JSON in place of a stream',
    body: '{"error":{"message":"Overloaded"}}',
    error: 'Overloaded',
  },
];
