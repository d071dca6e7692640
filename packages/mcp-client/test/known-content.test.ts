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
    resultOf(KNOWN),
    resultOf([]),
    resultOf('text'),
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', method: 'notifications/x', params: { content: [{ type: 'odd' }] } },
  ] as const)
    expect(withKnownContent(message, () => expect.unreachable())).toBe(message);
});

it.each([
  [{ type: 'video', data: 'AAAA' }, 'video'],
  [{ type: 'text' }, 'text'],
  [{ type: 'image', data: 'AAAA' }, 'image'],
  [{ type: 'audio', mimeType: 'audio/wav' }, 'audio'],
  [{ type: 'resource_link', uri: 'a:b' }, 'resource_link'],
  [{ type: 'resource', resource: null }, 'resource'],
  [{ text: 'a' }, 'no type'],
  [null, 'no type'],
])('names %j in its place', (odd, named) => {
  const [before, after] = [KNOWN[0], KNOWN[1]];
  const text = `[a part of the result that this client cannot read: ${named}]`;
  const unread: string[] = [];
  expect(withKnownContent(resultOf([before, odd, after]), type => unread.push(type))).toEqual(
    resultOf([before, { type: 'text', text }, after]),
  );
  expect(unread).toEqual([named]);
});
