/** Tests texts of files: what dialogs show of a write, and files whose bytes are not text. */
import { describe, expect, it } from 'vitest';
import { decodeFile, encodeFile, textAfterWrite } from '../src/index.ts';

describe('textAfterWrite', () => {
  const current = '\ufeffa\r\nb\r\n';
  it('keeps the byte order mark and the line ends, as the machine of a client does when it writes', () => {
    expect(textAfterWrite({ params: {} }, 'a\nc\n', current)).toBe('\ufeffa\r\nc\r\n');
    expect(textAfterWrite({ hands: 'laptop', params: {} }, 'a\nc\n', current)).toBe('\ufeffa\r\nc\r\n');
  });

  it('is the content itself if the kernel has fitted it, or if it is exact', () => {
    expect(textAfterWrite({ hands: null, params: {} }, 'a\nc\n', current)).toBe('a\nc\n');
    expect(textAfterWrite({ params: { exact: true } }, 'a\nc\n', current)).toBe('a\nc\n');
  });
});

it('decodes only text, which gives the same bytes again', () => {
  const texts = [
    { text: '', encoding: 'utf-8' },
    { text: '\ufeff\ufeffé😀\r\n', encoding: 'utf-8' },
    { text: '\ufeff\ufeffé😀\r\n', encoding: 'utf-16le' },
    { text: '\ufeff', encoding: 'utf-16be' },
  ] as const;
  for (const file of texts) expect(decodeFile(encodeFile(file))).toEqual(file);
  expect(decodeFile(encodeFile({ text: 'a\ud83d', encoding: 'utf-16le' }))).toEqual({
    text: '\ufeffa\ufffd',
    encoding: 'utf-16le',
  });
  for (const bytes of [[0x61, 0], [0xff], [0xfe, 0xff, 0x61], [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]]) {
    expect(decodeFile(Uint8Array.from(bytes))).toBeUndefined();
  }
});
