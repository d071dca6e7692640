/** Answers of Google's Gemini API, as servers send them. */
import type { Row } from './rows.ts';

const parts = (...list: object[]) => ({
  candidates: [{ content: { parts: list, role: 'model' }, index: 0 }],
});
const over = (finishReason = 'STOP', ...list: object[]) => ({
  candidates: [{ content: { parts: list, role: 'model' }, finishReason, index: 0 }],
});
const USAGE = { promptTokenCount: 7, candidatesTokenCount: 2, thoughtsTokenCount: 1 };
const HELLO = parts({ text: 'Hello' });
const call = (facts: object = {}) => ({ functionCall: { name: 'shell', args: { x: 1 }, ...facts } });
const signed = (thoughtSignature: string) => ({ google: { thoughtSignature } });

export const GEMINI: readonly Row[] = [
  // Texts and thinking.
  { name: 'a text', events: [parts({ text: 'Hel' }), parts({ text: 'lo' }), over()], text: 'Hello' },
  { name: 'a text with the reason', events: [over('STOP', { text: 'Hello' })], text: 'Hello' },
  {
    name: 'thinking before a text',
    events: [parts({ text: 'Hm.', thought: true }), HELLO, over()],
    thinking: 'Hm.',
    text: 'Hello',
  },
  {
    name: 'a signature at the end of a text',
    events: [HELLO, over('STOP', { text: '', thoughtSignature: 's' })],
    text: 'Hello',
    metadata: [signed('s')],
  },
  {
    name: 'a signature without any text',
    events: [parts({ text: 'Hm.', thought: true }), over('STOP', { text: '', thoughtSignature: 's' })],
    thinking: 'Hm.',
    metadata: [{}, signed('s')],
  },
  {
    name: 'a signature in a part of its own',
    events: [HELLO, over('STOP', { thoughtSignature: 's' })],
    text: 'Hello',
    metadata: [signed('s')],
  },
  {
    name: 'an image',
    events: [over('STOP', { inlineData: { mimeType: 'image/png', data: 'ZG90' } })],
    images: ['dot'],
  },
  {
    name: 'a draft of an image',
    events: [over('STOP', { thought: true, inlineData: { mimeType: 'image/png', data: 'ZG90' } })],
  },
  {
    name: 'a list of events in place of a stream',
    body: JSON.stringify(
      [parts({ text: 'Hel' }), { ...over('STOP', { text: 'lo' }), usageMetadata: USAGE }],
      null,
      2,
    ),
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'a whole answer in place of a stream',
    body: JSON.stringify(over('STOP', { text: 'Hello' })),
    text: 'Hello',
  },
  {
    name: 'null fields and empty events',
    events: [
      { candidates: null },
      {},
      { candidates: [null] },
      { candidates: [{ content: null }] },
      HELLO,
      over(),
    ],
    text: 'Hello',
  },
  { name: 'unknown fields', events: [{ ...HELLO, modelVersion: 'x', new: 1 }, over()], text: 'Hello' },

  // Calls.
  { name: 'a call', events: [over('STOP', call({ id: 'a' }))], calls: [['shell', { x: 1 }, 'a']] },
  {
    name: 'a signed call',
    events: [over('STOP', { ...call(), thoughtSignature: 's' })],
    calls: [['shell', { x: 1 }, '']],
    metadata: [signed('s')],
  },
  {
    name: 'two calls of one event',
    events: [over('STOP', call({ id: 'a' }), call({ id: 'b', args: {} }))],
    calls: [
      ['shell', { x: 1 }, 'a'],
      ['shell', {}, 'b'],
    ],
  },
  {
    name: 'a call without arguments',
    events: [over('STOP', call({ args: undefined }))],
    calls: [['shell', {}]],
  },
  { name: 'null arguments', events: [over('STOP', call({ args: null }))], calls: [['shell', {}]] },
  {
    name: 'arguments as text',
    events: [over('STOP', call({ args: '{"x":1}' }))],
    calls: [['shell', { x: 1 }]],
  },
  {
    name: 'a call without a name',
    events: [over('STOP', call({ name: undefined }))],
    calls: [['', { x: 1 }]],
  },
  { name: 'a call before the reason', events: [parts(call()), over()], calls: [['shell', { x: 1 }]] },

  // Unknown parts.
  {
    name: 'an unknown part',
    events: [parts({ poem: 'Roses' }), HELLO, over()],
    text: 'Hello',
    lost: ['part poem'],
  },
  {
    name: 'code that Google runs',
    events: [parts({ executableCode: { code: '1' } }), HELLO, over()],
    text: 'Hello',
    lost: ['part executableCode'],
  },
  {
    name: 'a call in pieces, which nobody requested',
    events: [parts({ functionCall: { name: 'shell', partialArgs: [] } }), HELLO, over()],
    text: 'Hello',
    lost: ['part functionCall partialArgs'],
  },

  // Endings and usage.
  { name: 'the length', events: [HELLO, over('MAX_TOKENS')], text: 'Hello', finish: 'length' },
  { name: 'the filter', events: [HELLO, over('SAFETY')], text: 'Hello', finish: 'content_filter' },
  { name: 'a reason that nobody knows', events: [HELLO, over('TIRED')], text: 'Hello', finish: 'other' },
  {
    name: 'a blocked prompt',
    events: [{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 7 } }],
    finish: 'content_filter',
    usage: [7, 0],
  },
  {
    name: 'usage in every event',
    events: [
      { ...HELLO, usageMetadata: { promptTokenCount: 7 } },
      { ...over(), usageMetadata: USAGE },
    ],
    text: 'Hello',
    usage: [7, 3],
  },
  {
    name: 'usage after the reason',
    events: [HELLO, over(), { usageMetadata: USAGE }],
    text: 'Hello',
    usage: [7, 3],
  },
  { name: 'an end mark', events: [HELLO, '[DONE]'], text: 'Hello' },

  // Failures inside of a stream that began with 200.
  {
    name: 'an error',
    events: [HELLO, { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'an error in a list',
    body: JSON.stringify([{ error: { code: 503, message: 'Overloaded' } }]),
    error: 'Overloaded',
  },
  {
    name: 'a message in place of an event',
    events: [HELLO, { message: 'Overloaded' }],
    text: 'Hello',
    error: 'Overloaded',
  },
  {
    name: 'a call that Google could not parse',
    events: [over('MALFORMED_FUNCTION_CALL')],
    error: 'broke off',
  },
  { name: 'an end without a reason', events: [HELLO], text: 'Hello', error: 'broke off' },
  { name: 'nothing', body: '', error: 'broke off' },

  // The frame of the stream.
  {
    name: 'lines that end in CR LF',
    body: `data: ${JSON.stringify(HELLO)}\r\n\r\ndata: ${JSON.stringify(over())}\r\n\r\n`,
    text: 'Hello',
  },
];
