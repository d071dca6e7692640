/** Finds formulas in Markdown, in every delimiter that models use, whole and while the text arrives. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf, MarkdownStream, type Token } from '../src/markdown.ts';

/** The formulas of a text: TeX, and where they are drawn. */
const formulas = (text: string): string[] => {
  const found: string[] = [];
  const look = (token: Token): void => {
    if (token.type === 'math') found.push(`${token.display ? 'block' : 'inline'}: ${token.text.trim()}`);
    for (const each of ('tokens' in token && token.tokens) || []) look(each);
    if (token.type === 'list') for (const each of token.items) look(each);
  };
  for (const { token } of blocksOf(text)) look(token);
  return found;
};

describe('formulas', () => {
  test.each([
    ['Euler: \\(e^{i\\pi} + 1 = 0\\).', ['inline: e^{i\\pi} + 1 = 0']],
    ['Call \\(f(x)\\) and \\(a_1 * b_2 * c\\).', ['inline: f(x)', 'inline: a_1 * b_2 * c']],
    ['The sum \\[ \\int_0^\\infty e^{-x^2}\\,dx \\] of all.', ['block: \\int_0^\\infty e^{-x^2}\\,dx']],
    ['\\[\na = b\n- c\n+ [d]\n\\]', ['block: a = b\n- c\n+ [d]']],
    ['Words:\n$$\nx = 1\n$$\nand more.', ['block: x = 1']],
    ['- so \\(x\\)\n- and\n  $$y$$', ['inline: x', 'block: y']],
    ['So $x$ and $y_1$.', ['inline: x', 'inline: y_1']],
    ['It costs $5 or $6, not $ 7.', []],
    ['`\\(x\\)` is code, and \\\\(y) is not a formula.', []],
    ['```\n$$x$$\n```', []],
    ['\\[ never closed', []],
    ['Set $HOME and `$PATH`.', []],
    ['From $A to **$B**.', []],
    ['$$ is the process:\n```sh\necho $$\n```', []],
  ])('%j', (text, expected) => {
    expect(formulas(text)).toEqual(expected);
  });

  test('keeps the source of what is never closed', () => {
    expect(blocksOf('$$ are\n- dollars\n\nNext.').map(({ token }) => [token.type, token.raw.trim()])).toEqual(
      [
        ['paragraph', '$$ are\n- dollars'],
        ['paragraph', 'Next.'],
      ],
    );
  });

  test('ends at a fence', () => {
    expect(blocksOf('$$ never closed\n```sh\necho\n```\n\nNext.').map(({ token }) => token.type)).toEqual([
      'paragraph',
      'code',
      'paragraph',
    ]);
  });

  test('finds the same formulas however the text was split', () => {
    const part = fc.constantFrom(
      '```',
      '`',
      '\\[',
      '\\]',
      '\\(',
      '\\)',
      '$$',
      '$',
      '\n',
      '\n\n',
      '- a',
      'x = 1',
      '*',
      ' ',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), parts => {
        const stream = new MarkdownStream();
        for (const each of parts) stream.push(each);
        stream.finish();
        expect(stream.blocks).toEqual(blocksOf(parts.join('')));
      }),
      { seed: 7 },
    );
  });
});
