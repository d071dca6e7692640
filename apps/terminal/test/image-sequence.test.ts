/** Images in the protocols of kitty and iTerm2. */
import { describe, expect, it } from 'vitest';
import { imageSequence } from '../src/screen/image-sequence.ts';

describe('an image in the terminal', () => {
  it('is sent to kitty in chunks, and only as PNG', () => {
    const sequence = imageSequence(new Uint8Array(5000), 'image/png', 'kitty')!;
    const pieces = sequence.trimEnd().split('\u001b\\').slice(0, -1);
    expect(pieces.every(piece => piece.startsWith('\u001b_G'))).toBe(true);
    expect(
      pieces.map(piece => piece.slice(3).split(';')).map(([keys, data]) => [keys, data!.length]),
    ).toEqual([
      ['f=100,a=T,q=2,c=40,m=1', 4096],
      ['m=0', 2572],
    ]);
    expect(imageSequence(new Uint8Array(5), 'image/jpeg', 'kitty')).toBeNull();
  });

  it('is sent to iTerm2 unchanged', () => {
    expect(imageSequence(new Uint8Array([1, 2, 3]), 'image/webp', 'iterm')).toBe(
      '\u001b]1337;File=inline=1;size=3;width=40;preserveAspectRatio=1:AQID\u0007\n',
    );
  });
});
