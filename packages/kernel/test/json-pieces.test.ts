/** Tests JSON that is written in pieces: it is the text of JSON.stringify, also with long texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces, textPieces } from '../src/base/json-pieces.ts';

const written = async (value: unknown) => (await Array.fromAsync(jsonPieces(value))).join('');

test('writes what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async value => {
      // With a long text, the value is written in pieces.
      for (const each of [value, { value, long: 'x'.repeat(300_000), absent: undefined, list: [undefined] }])
        expect(await written(each)).toBe(JSON.stringify(each));
    }),
  );
});

test.each(['a"\n\\', '😀', 'x😀', '\ud800', '\udc00\ud800'])('writes a long text of %j', async piece => {
  const text = piece.repeat(700_000);
  expect((await written({ text })) === JSON.stringify({ text })).toBe(true);
});

test('[SAFE-7] lets other work run between the pieces', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 0);
  await written('x'.repeat(64_000_000));
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(5);
});

test('divides no character', () => {
  expect([...textPieces('a😀b😀', 2)]).toEqual(['a', '😀', 'b', '😀']);
  expect([...textPieces('', 2)]).toEqual([]);
});
