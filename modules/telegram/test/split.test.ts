/** Tests that every text becomes messages within Telegram's limit. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { split } from '../src/split.ts';

const WITHIN = 4096;
const bare = (text: string) => text.replace(/[`~\s]/g, '');

it.each([
  ['a fence with a long text in its line', `\`\`\`${'{"a": 1},'.repeat(600)}`],
  ['the same with lines after it', `\`\`\`${'{"a": 1},'.repeat(600)}\n{}\n\`\`\`\nText.`],
  ['a fence that is longer than a message', `${'`'.repeat(5000)}\ncode\n${'`'.repeat(5000)}`],
  ['a fence of tildes with a long text', `~~~ ${'x'.repeat(9000)}\n~~~`],
])('splits %s', (_, text) => {
  const pieces = split(text);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(WITHIN);
  expect(bare(pieces.join(''))).toBe(bare(text));
});

it('repeats the line of a fence in each piece of its code', () => {
  const pieces = split(`\`\`\`ts\n${'let a = 1;\n'.repeat(1000)}\`\`\``);
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) expect(piece).toMatch(/^```ts\nlet[^`]*;\n```$/);
});

it('keeps paragraphs, lists and code whole, and repeats fences between other text and in lists', () => {
  const words = `${'Words. '.repeat(400)}\n\n`;
  const list = '- One\n- Two\n\n';
  const code = `\`\`\`ts\n${'let a = 1;\n\n'.repeat(100)}\`\`\`\n\n`;
  const item = `1. Run\n\n   ~~~\n${'   make\n'.repeat(600)}   ~~~\n\nEnd.`;
  const pieces = split(words + list + code + words + list + item);
  expect(pieces.slice(0, 3)).toEqual([words + list, code, `${words + list}1. Run`].map(text => text.trim()));
  expect(pieces.slice(3)).toEqual([
    expect.stringMatching(/^~~~\n(?: {3}make\n){473}~~~$/),
    expect.stringMatching(/^~~~\n(?: {3}make\n){127}~~~\n\nEnd.$/),
  ]);
});

it('takes three signs within a line as text', () => {
  const pieces = split(`\`\`\`a\`\`\` ${'b '.repeat(3000)}`);
  expect(pieces.join(' ').replace(/\s/g, '')).toBe(`\`\`\`a\`\`\`${'b'.repeat(3000)}`);
});

it('loses no character of any text, and ends', () => {
  const part = fc.oneof(
    fc.constantFrom('```', '~~~~', '\n', '\n\n', '> ', '- ', '| a |', '😀', '`', ' ', '$$', '<details>'),
    fc.nat({ max: 5000 }).map(length => 'abcdefghijklmnopqrstuvwxyz'.repeat(200).slice(0, length)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), parts => {
      const text = parts.join('');
      const pieces = split(text);
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(WITHIN);
      // Each character in its order; the line of a fence may come again in each piece.
      const expected = bare(text);
      let at = 0;
      for (const unit of bare(pieces.join('')).split('')) if (unit === expected[at]) at += 1;
      expect(at).toBe(expected.length);
    }),
    { numRuns: 100 },
  );
});
