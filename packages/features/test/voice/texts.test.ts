/** Tests voice without models: the spoken part of a text, its splitting, and joined WAV files. */
import { describe, expect, test } from 'vitest';
import { readable } from '../../src/voice/readable.ts';
import { splitText } from '../../src/voice/split-text.ts';
import { joinedWav, wavSeconds } from '../../src/voice/wav.ts';

describe('[VOICE-2] the spoken form of a text', () => {
  test.each([
    ['keeps plain text', 'Two plus 2 * 3 is 8; a_b_c.', 'Two plus 2 * 3 is 8; a_b_c.'],
    ['removes emphasis', '**Bold**, *it*, _it_, ~~gone~~ and `code`.', 'Bold, it, it, gone and code.'],
    [
      'removes the marks of headings, lists, tasks and quotes',
      '# A\n- b\n* [x] c\n1. d\n> e',
      'A\nb\nc\n1. d\ne',
    ],
    ['reads the text of links and images', '[a *b*](https://x.example/y) ![c](d.png "t")', 'a b c'],
    ['reads the host of an address', 'See <https://x.example/y?z=1>.', 'See x.example.'],
    ['omits code, also in an unclosed fence', 'a\n~~~sh\nls\n```\n~~~\nb\n```\nc', 'a\nb'],
    [
      'omits horizontal rules, and reads the cells of a table',
      'a\n\n---\n\n| b | c |\n|---|:-:|\n| d |  |',
      'a\n\nb, c\n\nd',
    ],
    ['returns an empty text for code only', '```\nx\n```', ''],
  ])('%s', (_, markdown, said) => {
    expect(readable(markdown)).toBe(said);
  });

  test('handles a text that is designed to be slow', () => {
    for (const part of ['[', '![a](', '<a', '**', '> ', '- ', '|', '`', 'https://', '*a']) {
      const began = performance.now();
      readable(part.repeat(50_000 / part.length));
      expect(performance.now() - began).toBeLessThan(5_000);
    }
  });
});

describe('[VOICE-2] the split of a text', () => {
  test.each([
    ['falls between paragraphs', 'One two.\n\nThree four.', 14, ['One two.', 'Three four.']],
    ['falls between sentences', 'One two. Three four. Five', 22, ['One two. Three four.', 'Five']],
    ['falls between words', 'one two three', 8, ['one two', 'three']],
    ['falls inside an overlong word', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['falls after punctuation of other scripts', '一二。三四。', 4, ['一二。', '三四。']],
    ['never falls inside a character', '😀😀', 3, ['😀', '😀']],
    ['does not exist for a short text', ' a ', 5, ['a']],
  ])('%s', (_, text, most, pieces) => {
    expect(splitText(text, most)).toEqual(pieces);
  });
});

describe('[VOICE-2] WAV files', () => {
  const wav = (samples: Buffer, { rate = 8000, length = samples.length } = {}) => {
    const head = Buffer.alloc(44);
    head.write('RIFF....WAVEfmt ', 'latin1');
    head.writeUInt32LE(16, 16);
    head.writeUInt32LE(0x00010001, 20);
    head.writeUInt32LE(rate, 24);
    head.writeUInt32LE(rate * 2, 28);
    head.writeUInt32LE(0x00100002, 32);
    head.write('data', 36, 'latin1');
    head.writeUInt32LE(length, 40);
    return Buffer.concat([head, samples]);
  };

  test('compute their duration from their bytes, regardless of the header of a stream', () => {
    expect(wavSeconds(wav(Buffer.alloc(16_000)))).toBe(1);
    expect(wavSeconds(wav(Buffer.alloc(8_000), { length: 0xffffffff }))).toBe(0.5);
    expect(wavSeconds(Buffer.from('OggS'))).toBe(null);
    expect(wavSeconds(wav(Buffer.alloc(2)).subarray(0, 30))).toBe(null);
    expect(wavSeconds(wav(Buffer.alloc(2), { rate: 0 }))).toBe(null);
  });

  test('are joined if they have the same format', () => {
    const [a, b] = [Buffer.from([1, 2]), Buffer.from([3, 4, 5])];
    const joined = joinedWav([wav(a, { length: 0xffffffff }), wav(b)]);
    // One byte more, because a chunk has an even length.
    expect(joined?.subarray(44)).toEqual(Buffer.from([1, 2, 3, 4, 5, 0]));
    expect(Buffer.from(joined ?? []).readUInt32LE(40)).toBe(5);
    expect(Buffer.from(joined ?? []).readUInt32LE(4)).toBe(42);
    expect(joinedWav([wav(a), wav(b, { rate: 16_000 })])).toBe(null);
    expect(joinedWav([wav(a), Buffer.from('noise')])).toBe(null);
    expect(joinedWav([])).toBe(null);
  });
});
