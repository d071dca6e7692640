/** Finds footnotes and sections that fold, whole and while the text arrives. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf, MarkdownStream, type Token } from '../src/markdown.ts';

const childrenOf = (token: Token): Token[] =>
  token.type === 'list' ? token.items : ('tokens' in token && token.tokens) || [];

/** Describes a token with its children on one line. */
const describeToken = (token: Token): string => {
  const inner = childrenOf(token)
    .filter(({ type }) => type !== 'space')
    .map(describeToken)
    .join(' ');
  if (token.type === 'footnote_mark') return `^${token.label}`;
  if (token.type === 'footnote') return `note ${token.label}: ${inner}`;
  if (token.type === 'details')
    return `details${token.open ? ' open' : ''} ${token.summary.map(describeToken).join(' ')} (${inner})`;
  if (token.type === 'text') return inner || token.text;
  return `${token.type}(${inner || token.raw.trim()})`;
};
const parse = (text: string): string[] => blocksOf(text).map(({ token }) => describeToken(token));

describe('footnotes', () => {
  test.each([
    ['So it is.[^1]\n\n[^1]: A *source*.', ['paragraph(So it is. ^1)', 'note 1: A  em(source) .']],
    ['[^1]: one\n[^b]: two\nlines\n\nNext.', ['note 1: one', 'note b: two\nlines', 'paragraph(Next.)']],
    ['Text\n[^1]: note\n- item', ['paragraph(Text)', 'note 1: note', 'list(list_item(item))']],
    ['[^1]: one\n\n    more\n\nNext.', ['note 1: one\nmore', 'paragraph(Next.)']],
    ['[^1]: word', ['note 1: word']],
    ['`[^1]` and [^a b] and [^](x)', ['paragraph(codespan(`[^1]`)  and [^a b] and  link(^))']],
    ['```\n[^1]: x\n```', ['code(```\n[^1]: x\n```)']],
  ])('%j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });
});

describe('sections that fold', () => {
  test.each([
    [
      '<details>\n<summary>More <b>words</b></summary>\n\n- a\n\n**b**\n\n</details>\n\nNext.',
      ['details More words (list(list_item(a)) paragraph(strong(b)))', 'paragraph(Next.)'],
    ],
    ['<details open><summary>S</summary>inner</details>', ['details open S (paragraph(inner))']],
    ['<details>\n\nnever closed', ['details open Details (paragraph(never closed))']],
    [
      '<details><summary>A</summary>\n\n<details><summary>B</summary>\n\nb\n</details>\n\na\n</details>\nNext',
      ['details A (details B (paragraph(b)) paragraph(a))', 'paragraph(Next)'],
    ],
    [
      '<details><summary>A</summary>\n\n```html\n</details>\n```\n</details>',
      ['details A (code(```html\n</details>\n```))'],
    ],
    ['- <details><summary>A</summary>\n\n  b\n  </details>', ['list(list_item(details A (paragraph(b))))']],
    ['<details onclick="x">a</details>', ['html(<details onclick="x">a</details>)']],
    ['Words about <details> in a line', ['paragraph(Words about  html(<details>)  in a line)']],
  ])('%j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('limits the depth of sections in sections', () => {
    const deepest = (token: Token): number =>
      (token.type === 'details' ? 1 : 0) + Math.max(0, ...childrenOf(token).map(deepest));
    const depths = blocksOf('<details>\n'.repeat(500)).map(({ token }) => deepest(token));
    expect(Math.max(...depths)).toBe(4);
  });
});

test('finds the same however the text was split, and loses no text', () => {
  const part = fc.constantFrom(
    ...['[^1]', '[^1]: ', '<details>\n', '<summary>S</summary>', '</details>', '```\n', '$$'],
    ...['\n', '\n\n', '    ', '- a', 'words', '> ', ' '],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), parts => {
      const stream = new MarkdownStream();
      for (const each of parts) stream.push(each);
      stream.finish();
      const text = parts.join('');
      expect(stream.blocks).toEqual(blocksOf(text));
      const shown = stream.blocks.map(({ token }) => token.raw).join('');
      const count = (all: string) => all.split('words').length;
      expect(count(shown)).toBe(count(text));
    }),
    { numRuns: 300, examples: [[['- a', '<details>\n', '- a', 'words', '<details>\n']]] },
  );
});
