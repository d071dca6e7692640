/** Tests the conversion of Markdown to pieces of HTML that Telegram accepts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../src/html.ts';
import { split } from '../src/split.ts';
import { seen } from './bot-api/checks.ts';

describe('htmlOf', () => {
  it.each([
    ['# Title\n\nText', '<b>Title</b>\n\nText'],
    ['**b** *i* ~~s~~ `a<b`', '<b>b</b> <i>i</i> <s>s</s> <code>a&lt;b</code>'],
    ['```ts\nlet a = 1 < 2;\n```', '<pre><code class="language-ts">let a = 1 &lt; 2;</code></pre>'],
    ['- one\n- two', '• one\n• two'],
    ['3. one\n4. two', '3. one\n4. two'],
    ['> > deep', '<blockquote>deep</blockquote>'],
    ['[a](https://x.y/?a=1&b="2")', '<a href="https://x.y/?a=1&amp;b=&quot;2&quot;">a</a>'],
    ['[a](javascript:alert(1))', 'a (javascript:alert(1))'],
    ['So.[^1]\n\n[^1]: A *b*', 'So.[^1]\n\n[^1]: A <i>b</i>'],
    ['<details>\n<summary>More</summary>\n\n- a\n\nb\n</details>', '<b>More</b>\n• a\nb'],
    ['<b>raw</b> & <script>', '&lt;b&gt;raw&lt;/b&gt; &amp; &lt;script&gt;'],
  ])('%j', (markdown, html) => {
    expect(renderHtml(markdown)).toBe(html);
  });
});

const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '_',
        '`',
        '```\n',
        '> ',
        '- ',
        '1. ',
        '[',
        '](',
        ')',
        '<',
        '&amp;',
        '\n',
        '\n\n',
        '| a | b |\n|---|---|\n',
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constant('word '.repeat(400)),
    ),
    { maxLength: 60 },
  )
  .map(parts => parts.join(''));

describe('split', () => {
  it('splits text into pieces that fit a message', () => {
    fc.assert(
      fc.property(markdown, text => {
        for (const piece of split(text)) {
          expect(piece.length).toBeLessThanOrEqual(4096);
          expect(piece.trim()).not.toBe('');
          // Telegram may reject the HTML as too long or empty, but never as malformed. The module then sends plain text.
          expect(refusalOf(renderHtml(piece))).not.toContain("can't parse");
        }
      }),
    );
  });

  it('keeps every word', () => {
    fc.assert(
      fc.property(markdown, text => {
        const words = (of: string) => of.match(/\w{2,}/g) ?? [];
        const kept = words(split(text).join('\n'));
        for (const word of words(text)) expect(kept.join(' ')).toContain(word);
      }),
      { numRuns: 50 },
    );
  });

  it('closes and reopens the fence of code that is longer than a message', () => {
    const pieces = split(`\`\`\`js\n${'call(12345);\n'.repeat(800)}\`\`\``);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece).toMatch(/^```js\n[^`]+\n```$/);
  });
});

function refusalOf(text: string): string {
  try {
    seen({ text, parse_mode: 'HTML' });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
