/** Tests that Markdown of any shape takes time in proportion to its length. */
import { blocksOf, MarkdownStream, type Tokens } from '@chat-kernel/text/markdown';
import { expect, test } from 'vitest';

/** The levels of quotes and lists grow, shrink, or alternate, and lines without signs continue them. */
const quotes = (levels: (n: number) => number) =>
  Array.from({ length: 300 }, (_, n) => `${'>'.repeat(levels(n))} a\n`).join('');

test.each([
  ['growing', quotes(n => 1 + (n % 98))],
  ['shrinking', quotes(n => 98 - (n % 98))],
  ['of quotes in lists', `${'> - '.repeat(8)}a\n`.repeat(500)],
  ['with lines that continue them', `${'>'.repeat(98)} a\n${'b\n'.repeat(1000)}`],
])('parses nested quotes %s in time', (_, text) => {
  const began = process.threadCpuUsage();
  expect(blocksOf(text).length).toBeGreaterThan(0);
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(5000);
});

test('shows as text what is nested more than eight levels deep', () => {
  const depth = ([token]: Tokens.Generic[] = []): number =>
    token?.type === 'blockquote' ? 1 + depth(token.tokens) : 0;
  for (const [levels, shown] of [
    [7, 7],
    [50, 8],
  ] as const)
    expect(depth(blocksOf(`${'>'.repeat(levels)} a`).map(({ token }) => token))).toBe(shown);
});

test.each([1, 30, 5000])('shows a long text in the line of a fence as code, in pieces of %d', size => {
  const long = `{"a": "${'x'.repeat(40_000)}"}`;
  const source = `\`\`\`${long}\nend\n\`\`\`\nText.`;
  const stream = new MarkdownStream();
  for (let at = 0; at < source.length; at += size) stream.push(source.slice(at, at + size));
  stream.finish();
  const code = stream.blocks.flatMap(({ token }) => (token.type === 'code' ? [token as Tokens.Code] : []));
  expect(code.map(({ text }) => text.replaceAll('\n', '')).join('')).toBe(`${long}end`);
  expect(new Set(code.map(({ lang }) => lang))).toEqual(new Set(['']));
  expect(stream.blocks.at(-1)?.token).toMatchObject({ type: 'paragraph', text: 'Text.' });
  expect(stream.parsed).toBeLessThan(20 * source.length);
});

test('keeps a short text in the line of a fence as its language', () => {
  expect(blocksOf('```ts title="a"\nlet a;\n```')[0]?.token).toMatchObject({
    lang: 'ts title="a"',
    text: 'let a;',
  });
});
