/** Tests that one odd block of a result does not lose the others. */
import { expect, it } from 'vitest';
import { withKnownContent } from '../src/wires/known-content.ts';

const resultOf = (content: unknown) =>
  ({ jsonrpc: '2.0', id: 1, result: { content, isError: false } }) as const;
const KNOWN = [
  { type: 'text', text: 'a' },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'a:b', name: 'b' },
  { type: 'resource', resource: { uri: 'a:b', text: 'c' } },
];

it('keeps other messages, and results whose blocks are known', () => {
  for (const message of [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', method: 'notifications/x', params: { content: [{ type: 'odd' }] } },
  ] as const)
    expect(withKnownContent(message, () => expect.unreachable())).toBe(message);
  for (const message of [resultOf(KNOWN), resultOf([])])
    expect(withKnownContent(message, () => expect.unreachable())).toEqual(message);
});

const text = (words: string) => ({ type: 'text', text: words });
it.each([
  ['a text', { content: 'hello' }, { content: [text('hello')] }],
  ['one block', { content: text('one') }, { content: [text('one')] }],
  ['null', { content: null }, { content: [] }],
  ['texts between blocks', { content: ['a', text('b')] }, { content: [text('a'), text('b')] }],
  ['another type of text', { content: [{ type: 'text', text: { a: 1 } }] }, { content: [text('{"a":1}')] }],
  ['odd annotations', { content: [{ ...text('a'), annotations: 'x', _meta: 7 }] }, { content: [text('a')] }],
  [
    'missing names and types',
    {
      content: [
        { type: 'image', data: 'AAAA' },
        { type: 'audio', data: 'AAAA', mimeType: 7 },
        { type: 'resource_link', uri: 'a:b', title: 7 },
        { type: 'resource', resource: { blob: 'AAAA' } },
      ],
    },
    {
      content: [
        { type: 'image', data: 'AAAA', mimeType: 'unknown' },
        { type: 'audio', data: 'AAAA', mimeType: 'unknown' },
        { type: 'resource_link', uri: 'a:b', name: 'a:b' },
        { type: 'resource', resource: { uri: 'unknown', blob: 'AAAA' } },
      ],
    },
  ],
  ['a text as error', { isError: 'true' }, { content: [], isError: true }],
  [
    'data as a URL, and in lines',
    {
      content: [
        { type: 'image', data: 'data:image/png;base64,AA-_\nAAA=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a:b', blob: 'AA AA' } },
      ],
    },
    {
      content: [
        { type: 'image', data: 'AA+/AAA=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } },
      ],
    },
  ],
  ['a list as structure', { structuredContent: [1] }, { content: [], structuredContent: { value: [1] } }],
])('reads a result with %s', (_, sent, read) => {
  const message = { jsonrpc: '2.0', id: 1, result: sent } as const;
  expect(withKnownContent(message, () => expect.unreachable()).result).toEqual(read);
});

it.each([
  [{ type: 'video', data: 'AAAA' }, 'video'],
  [{ type: 'text' }, 'text'],
  [{ type: 'image', mimeType: 'image/png' }, 'image'],
  [{ type: 'image', data: 'no base64!!', mimeType: 'image/png' }, 'image'],
  [{ type: 'audio', mimeType: 'audio/wav' }, 'audio'],
  [{ type: 'resource_link', name: 'a' }, 'resource_link'],
  [{ type: 'resource', resource: null }, 'resource'],
  [{ type: 'resource', resource: { uri: 'a:b' } }, 'resource'],
  [{ data: 'a' }, 'no type'],
  [null, 'no type'],
  [7, 'no type'],
])('names %j in its place', (odd, named) => {
  const [before, after] = [KNOWN[0], KNOWN[1]];
  const words = `[a part of the result that this client cannot read: ${named}]`;
  const unread: string[] = [];
  expect(withKnownContent(resultOf([before, odd, after]), type => unread.push(type))).toEqual(
    resultOf([before, text(words), after]),
  );
  expect(unread).toEqual([named]);
});

it('shows the text of an unknown type, and reports the type', () => {
  const unread: string[] = [];
  const message = resultOf([{ type: 'markdown', text: '# A' }]);
  expect(withKnownContent(message, type => unread.push(type))).toEqual(resultOf([text('# A')]));
  expect(unread).toEqual(['markdown']);
});
