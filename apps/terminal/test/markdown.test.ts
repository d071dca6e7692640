/** Markdown as lines of a terminal, whole and while it streams. */
import { blocksOf, MarkdownStream } from '@chat-kernel/text/markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksLines } from '../src/markdown/block.ts';
import { lineText, lineWidth } from '../src/text/line.ts';
import { paint } from '../src/text/paint.ts';
import { withoutExpected } from './emulator.ts';
import { COLOURS } from './screen-props.ts';

const shown = (text: string, width = 40, links = false): string[] =>
  blocksLines(blocksOf(text), { width, links }).map(each => lineText(each).trimEnd());
const painted = (text: string): string =>
  paint(blocksLines(blocksOf(text), { width: 60, links: true }), COLOURS);

// The seed is fixed, so that every run has the same cases.
fc.configureGlobal({ seed: 11 });

describe('markdown', () => {
  it('shows lists: nested, numbered, with tasks', () => {
    expect(shown('3. three\n4. four\n   - inner\n     more\n\n- [ ] open\n- [x] done')).toEqual([
      '3. three',
      '4. four',
      '   • inner more',
      '',
      '☐ open',
      '☑ done',
    ]);
  });

  it('numbers list items consecutively, regardless of their numbers in the source', () => {
    expect(shown('1. a\n1. b\n1. c')).toEqual(['1. a', '2. b', '3. c']);
  });

  it('shows quotes, rules, hard breaks and HTML as text', () => {
    expect(shown('> one\n> two\n\n---\n\na\\\nb\n\n<b onclick="x">c</b>')).toEqual([
      '│ one two',
      '',
      '─'.repeat(40),
      '',
      'a',
      'b',
      '',
      '<b onclick="x">c</b>',
    ]);
  });

  it('shows footnotes with their marks, and sections that fold below their titles', () => {
    expect(
      shown('So.[^1]\n\n<details>\n<summary>More</summary>\n\n- a\n\n</details>\n\n[^1]: A *source*.'),
    ).toEqual(['So.[^1]', '', 'More', '  • a', '', '[^1]: A source.']);
  });

  it.each([
    ['quotes', '> '],
    ['quotes without spaces', '>'],
    ['lists', '- '],
    ['numbered lists', '1. '],
    ['both', '> - '],
  ])('shows %s nested thousands of levels deep', (_, sign) => {
    expect(shown(`before\n\n${sign.repeat(3000)}deep\n\nafter`, 400).join('')).toMatch(
      /^before.*deep.*after$/,
    );
  });

  it('leaves Markdown syntax in code unchanged', () => {
    const signs = '>'.repeat(300);
    expect(shown(`\`\`\`\n${signs}\n\`\`\``, 400).join('')).toContain(signs);
  });

  const table =
    '| Name | What it is | N |\n|---|:-:|--:|\n| a | a rather long text that wraps | 12 |\n| b | short | 3 |';
  it('fits a table into the width', () => {
    expect(shown(table, 30)).toEqual([
      'Name │     What it is     │  N',
      '─────┼────────────────────┼───',
      'a    │ a rather long text │ 12',
      '     │     that wraps     │',
      'b    │       short        │  3',
    ]);
  });

  it('shows a table as lists if its columns do not fit', () => {
    expect(shown(table, 12).slice(0, 4)).toEqual(['Name: a', 'What it is:', 'a rather', 'long text']);
  });

  it('shows the address of a link unless the terminal can hide it safely', () => {
    expect(shown('[docs](https://a.example/x)')).toEqual(['docs (https://a.example/x)']);
    expect(shown('[docs](https://a.example/x)', 40, true)).toEqual(['docs']);
    expect(shown('[bank.example](https://evil.example/)', 60, true)).toEqual([
      'bank.example (https://evil.example/)',
    ]);
    expect(shown('[x](javascript:alert)', 40, true)).toEqual(['x (javascript:alert)']);
    expect(painted('[docs](https://a.example/x)')).toBe(
      '\u001b]8;;https://a.example/x\u0007\u001b[4;34mdocs\u001b[0m\u001b]8;;\u0007',
    );
  });

  it('highlights code of a known language in the colors of the terminal', () => {
    expect(painted('```ts\nconst a = 1; // x\n```')).toBe(
      '  \u001b[35mconst\u001b[0m a = \u001b[36m1\u001b[0m; \u001b[2;3m// x\u001b[0m',
    );
    expect(shown('```nonsense\na  b\n```')).toEqual(['  a  b']);
  });

  it('removes escape sequences that could control the terminal', () => {
    const text =
      '# a\u001b]0;t\u0007\n\n`\u001b[2J`\n\n```\n\u001b[H\u009b1m\n```\n\n[l](https://a.example/\u001b\\)';
    expect(withoutExpected(painted(text))).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

const SAMPLE = `# Title

A paragraph with **bold**, \`code\` and
a second line.

1. one
2. two

   inside
3. three

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const x = 1;

// ${'long '.repeat(30)}
${'call();\n'.repeat(90)}\`\`\`

- x
- y
  - z

> quote

    indented code

end **open`;

describe('a stream of markdown', () => {
  const streamed = (parts: readonly string[]) => {
    const stream = new MarkdownStream();
    for (const part of parts) {
      stream.push(part);
      // Rendering on the way must not change the result.
      stream.rest();
    }
    stream.finish();
    return blocksLines(stream.blocks, { width: 50, links: false }).map(lineText);
  };
  const cuts = (text: string, places: readonly number[]): string[] => {
    const ends = [...new Set(places.map(place => place % (text.length + 1)))].sort((a, b) => a - b);
    return [0, ...ends].map((from, index) => text.slice(from, ends[index] ?? text.length));
  };

  it('renders the same lines for every split of the text', () => {
    const whole = streamed([SAMPLE]);
    expect(whole.length).toBeGreaterThan(100);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), places => {
        expect(streamed(cuts(SAMPLE, places))).toEqual(whole);
      }),
      { numRuns: 30 },
    );
    expect(streamed(SAMPLE.split(''))).toEqual(whole);
  });

  it('renders the same lines for any text, within the width', () => {
    const piece = fc.constantFrom(
      '- ',
      '1. ',
      '\n',
      '\n\n',
      '```',
      '~~~js',
      '|',
      '---',
      'word ',
      '**',
      '`',
      '> ',
      '# ',
      '[a](b)',
      '    ',
      '漢',
      '<b>',
      '=',
      '\t',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (pieces, places) => {
          const text = pieces.join('');
          expect(streamed(cuts(text, places))).toEqual(streamed([text]));
          for (const each of blocksLines(blocksOf(text), { width: 30, links: false })) {
            expect(lineWidth(each)).toBeLessThanOrEqual(30);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps every line of code for every split of the text', () => {
    const code = Array.from({ length: 200 }, (_, index) => (index % 7 === 0 ? '' : `line ${index}`));
    expect(shown(`\`\`\`\n${code.join('\n')}\n\`\`\``, 60)).toEqual(
      code.map(each => (each === '' ? '' : `  ${each}`)),
    );
  });

  it('shows an unfinished block as if the text ended there', () => {
    const rest = (text: string): string[] => {
      const stream = new MarkdownStream();
      stream.push(text);
      return blocksLines([...stream.blocks, ...stream.rest()], { width: 40, links: false }).map(lineText);
    };
    expect(rest('```js\nlet a')).toEqual(['  let a']);
    expect(rest('some **bo')).toEqual(['some **bo']);
    expect(rest('| a | b |\n|---|---|\n| 1')).toEqual(['a │ b', '──┼──', '1 │  ']);
  });

  it.each([
    ['paragraphs', 'Some words that make a paragraph, one like another.\n\n'],
    ['one list', '- an item of a list that never ends\n'],
    ['one fence', 'a line of code that goes on;\n'],
    ['one table', '| a cell | another |\n'],
    ['one paragraph', 'words of one paragraph without an end '],
  ])('costs the same per delta at the end as at the beginning: %s', (kind, part) => {
    const stream = new MarkdownStream();
    if (kind === 'one fence') stream.push('```ts\n');
    if (kind === 'one table') stream.push('| x | y |\n|---|---|\n');
    const cost = (deltas: number): number => {
      const before = stream.parsed;
      for (let index = 0; index < deltas; index++) {
        stream.push(part);
        stream.rest();
      }
      return stream.parsed - before;
    };
    // A block that is cut in pieces costs most right before a cut, so whole periods are compared.
    const first = cost(500);
    cost(1000);
    expect(cost(500)).toBeLessThan(first * 1.2);
  });
});
