/** Tests that the bytes of a body arrive complete, however they are divided. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { BODY_LIMIT, readMeasured } from '../src/http/read-body.ts';

const MIB = 1024 * 1024;
const streamOf = (sizes: number[]) =>
  Readable.from(
    sizes.map((size, n) => Buffer.alloc(size, 48 + n)),
    { objectMode: false },
  );

it.each([
  [[10, 0, 20]],
  [[3 * MIB + 5]],
  [[MIB + 1, 7, 2 * MIB]],
])('reads and passes on all bytes of chunks of %j bytes', async sizes => {
  for (const announced of [Number.NaN, sizes.reduce((a, b) => a + b)]) {
    const pieces: Buffer[] = [];
    const body = await readMeasured(streamOf(sizes), announced, 1000, piece =>
      pieces.push(Buffer.from(piece)),
    );
    const wanted = Buffer.concat(sizes.map((size, n) => Buffer.alloc(size, 48 + n)));
    expect(body.equals(wanted)).toBe(true);
    expect(Buffer.concat(pieces).equals(wanted)).toBe(true);
  }
});

it('refuses a single chunk above the limit', async () => {
  const reading = readMeasured(streamOf([BODY_LIMIT + 1]), Number.NaN, 1000);
  await expect(reading).rejects.toMatchObject({ code: 'body_too_large' });
});
