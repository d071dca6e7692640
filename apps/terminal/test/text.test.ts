/** Text for the terminal: safe, wrapped, painted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemes, line, lineText, lineWidth, span } from '../src/text/line.ts';
import { detectCapabilities, paint } from '../src/text/paint.ts';
import { exact, safe } from '../src/text/safe.ts';
import { fit, tail, wrapAnywhere, wrapWords } from '../src/text/wrap.ts';
import { COLOURS, PLAIN } from './screen-props.ts';

// The seed is fixed, so that every run has the same cases.
fc.configureGlobal({ seed: 11 });

describe('safe', () => {
  it('drops complete escape sequences, and shows the rest of incomplete ones', () => {
    expect(safe('\u001b[31mred\u001b[0m')).toBe('red');
    expect(safe('\u001b]0;title\u0007x')).toBe('x');
    expect(safe('\u001b]52;c;ZXZpbA==')).not.toContain('\u001b');
    expect(safe('\u001b\u001b[31m[31mx')).not.toContain('\u001b');
    expect(safe('a\u0008b\u0000c\u007fd')).toBe('a␈b␀c␡d');
    expect(safe('one\rtwo\u009b31m')).not.toMatch(/[\r\u009b]/);
  });

  it('shows direction marks and invisible characters', () => {
    expect(safe('user\u202egnp.exe')).toBe('user<U+202E>gnp.exe');
    expect(safe('a\u2066b\u200bc\ufeffd')).toBe('a<U+2066>b<U+200B>c<U+FEFF>d');
    expect(safe('\u{e0041}')).toBe('<U+E0041>');
  });

  it('shows hidden characters in decisions, and keeps emoji', () => {
    const shown: [text: string, shown: string][] = [
      ['rm a\u200db', 'rm a<U+200D>b'],
      ['rm a\u200d👩', 'rm a<U+200D>👩'],
      ['rm a\u200c', 'rm a<U+200C>'],
      ['a\ufe0f 1\ufe0f b\ufe01', 'a<U+FE0F> 1<U+FE0F> b<U+FE01>'],
      ['a\u180bb\u{1d173}c\u{e0100}', 'a<U+180B>b<U+1D173>c<U+E0100>'],
      ['rm\u00a0-r\u2003x\u3000y\u2800z', 'rm<U+00A0>-r<U+2003>x<U+3000>y<U+2800>z'],
      ['👩‍👩‍👧 ❤️‍🔥 👩🏽‍🚀 漢字 é', '👩‍👩‍👧 ❤️‍🔥 👩🏽‍🚀 漢字 é'],
    ];
    for (const [text, expected] of shown) expect(exact(text)).toBe(expected);
  });

  it('keeps text of any language, and joined emoji', () => {
    const text = 'Größe 漢字 العربية नमस्ते 👩‍👩‍👧 ❤️';
    expect(safe(text)).toBe(text);
  });

  it('removes every control character from any text', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('\u001b', '[', ']', '3', 'm', ';', '\u0007', '\\', '\u009b', 'x', '\u202e'),
    });
    fc.assert(fc.property(hostile, text => !/[\p{Cc}\u202e]/u.test(safe(text))));
  });
});

describe('wrapping', () => {
  it('wraps between words, and inside an overlong word', () => {
    expect(wrapWords(line('the quick brown fox'), 10).map(lineText)).toEqual(['the quick', 'brown fox']);
    expect(wrapWords(line('abcdefghijkl mn'), 5).map(lineText)).toEqual(['abcde', 'fghij', 'kl mn']);
    expect(wrapWords(line('漢字漢字'), 5).map(lineText)).toEqual(['漢字', '漢字']);
  });

  it('keeps every character when it wraps code', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 2, max: 20 }),
        (text, width) => {
          const lines = wrapAnywhere(line(text), width);
          expect(lines.map(lineText).join('')).toBe(safe(text));
          for (const each of lines) {
            // A character that is wider than the screen has a line of its own.
            const alone = graphemes(lineText(each)).length === 1;
            if (!alone) expect(lineWidth(each)).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });

  it('truncates with an ellipsis, and shows how many lines are hidden', () => {
    expect(lineText(fit(line('abcdef'), 4))).toBe('abc…');
    expect(tail([line('a'), line('b'), line('c')], 2).map(lineText)).toEqual(['… 2 more above', 'c']);
  });
});

describe('paint', () => {
  it('writes colors and hyperlinks if the terminal supports them', () => {
    const given = [[span('go', { colour: 'blue', bold: true, link: 'https://a.example/' })]];
    expect(paint(given, COLOURS)).toBe(
      '\u001b]8;;https://a.example/\u0007\u001b[1;34mgo\u001b[0m\u001b]8;;\u0007',
    );
    expect(paint(given, PLAIN)).toBe('go');
    expect(paint(given, { ...COLOURS, colours: false, links: false })).toBe('\u001b[1mgo\u001b[0m');
  });

  it('detects the terminal from its environment', () => {
    expect(detectCapabilities({ TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1' })).toEqual({
      colours: true,
      styles: true,
      links: true,
      images: 'kitty',
    });
    expect(detectCapabilities({ TERM: 'xterm-256color', NO_COLOR: '1' })).toEqual({
      colours: false,
      styles: true,
      links: false,
      images: null,
    });
    expect(detectCapabilities({ TERM: 'dumb' })).toEqual(PLAIN);
    expect(detectCapabilities({ TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/x' }).images).toBeNull();
    expect(detectCapabilities({ TERM_PROGRAM: 'iTerm.app' }).images).toBe('iterm');
  });
});
