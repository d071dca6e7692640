/** Voice without its models: what is read of a text, where it is cut, and WAV files as one. */
import { describe, expect, test } from 'vitest';
import { piecesOf } from '../src/voice/pieces.ts';
import { readable } from '../src/voice/readable.ts';
import { joinedWav, wavSeconds } from '../src/voice/wav.ts';

describe('[VOICE-2] what is read of a text', () => {
  test.each([
    ['plain words stay', 'Two plus 2 * 3 is 8; a_b_c.', 'Two plus 2 * 3 is 8; a_b_c.'],
    ['marks go', '**Bold**, *it*, _it_, ~~gone~~ and `code`.', 'Bold, it, it, gone and code.'],
    ['a heading, a list, tasks, a quote', '# A\n- b\n* [x] c\n1. d\n> e', 'A\nb\nc\n1. d\ne'],
    ['links and pictures are their words', '[a *b*](https://x.example/y) ![c](d.png "t")', 'a b c'],
    ['an address is its host', 'See <https://x.example/y?z=1>.', 'See x.example.'],
    ['code is left out, also where its fence never ends', 'a\n~~~sh\nls\n```\n~~~\nb\n```\nc', 'a\nb'],
    ['rules of a page and of a table', 'a\n\n---\n\n| b | c |\n|---|:-:|\n| d |  |', 'a\n\nb, c\n\nd'],
    ['nothing', '```\nx\n```', ''],
  ])('%s', (_, markdown, said) => {
    expect(readable(markdown)).toBe(said);
  });

  test('a text that is made to be slow is not', () => {
    for (const part of ['[', '![a](', '<a', '**', '> ', '- ', '|', '`', 'https://', '*a']) {
      const began = performance.now();
      readable(part.repeat(50_000 / part.length));
      expect(performance.now() - began).toBeLessThan(5_000);
    }
  });
});

describe('[VOICE-2] where a text is cut', () => {
  test.each([
    ['between paragraphs', 'One two.\n\nThree four.', 14, ['One two.', 'Three four.']],
    ['between sentences', 'One two. Three four. Five', 22, ['One two. Three four.', 'Five']],
    ['between words', 'one two three', 8, ['one two', 'three']],
    ['within a word that is too long', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['behind the signs of other scripts', '一二。三四。', 4, ['一二。', '三四。']],
    ['never within a character', '😀😀', 3, ['😀', '😀']],
    ['nowhere', ' a ', 5, ['a']],
  ])('%s', (_, text, most, pieces) => {
    expect(piecesOf(text, most)).toEqual(pieces);
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

  test('are as long as their bytes, whatever the header of a stream says', () => {
    expect(wavSeconds(wav(Buffer.alloc(16_000)))).toBe(1);
    expect(wavSeconds(wav(Buffer.alloc(8_000), { length: 0xffffffff }))).toBe(0.5);
    expect(wavSeconds(Buffer.from('OggS'))).toBe(null);
    expect(wavSeconds(wav(Buffer.alloc(2)).subarray(0, 30))).toBe(null);
    expect(wavSeconds(wav(Buffer.alloc(2), { rate: 0 }))).toBe(null);
  });

  test('become one; those of another kind do not', () => {
    const [a, b] = [Buffer.from([1, 2]), Buffer.from([3, 4, 5])];
    const joined = joinedWav([wav(a, { length: 0xffffffff }), wav(b)]);
    // One byte more, for a chunk is even.
    expect(joined?.subarray(44)).toEqual(Buffer.from([1, 2, 3, 4, 5, 0]));
    expect(Buffer.from(joined ?? []).readUInt32LE(40)).toBe(5);
    expect(Buffer.from(joined ?? []).readUInt32LE(4)).toBe(42);
    expect(joinedWav([wav(a), wav(b, { rate: 16_000 })])).toBe(null);
    expect(joinedWav([wav(a), Buffer.from('noise')])).toBe(null);
    expect(joinedWav([])).toBe(null);
  });
});
