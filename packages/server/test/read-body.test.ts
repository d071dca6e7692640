/** Tests that the bytes of a body arrive complete, however they are divided. */
import { Readable } from 'node:stream';
import { MAX_LEVELS } from '@chat-kernel/protocol';
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

it.each([
  [
    'too many values',
    ['[1,2,', '3,4,', '5]'],
    3,
    { code: 'invalid_value', message: 'The body contains more than 3 values.' },
  ],
  [
    'too many levels',
    ['[[', '['.repeat(MAX_LEVELS), '1'],
    1000,
    { code: 'invalid_value', message: `The body is nested more than ${MAX_LEVELS} levels deep.` },
  ],
])('passes on nothing from the piece that has %s', async (_, chunks, maxValues, error) => {
  const pieces: string[] = [];
  const stream = Readable.from(
    chunks.map(chunk => Buffer.from(chunk)),
    { objectMode: false },
  );
  const reading = readMeasured(stream, Number.NaN, maxValues, piece => pieces.push(piece.toString()));
  await expect(reading).rejects.toMatchObject(error);
  expect(pieces).toEqual(chunks.slice(0, 1));
  // The rest was read, so that the client receives the answer.
  expect(stream.readableEnded).toBe(true);
});

it.each([1, 3])('rejects a body of two bytes that announces %i', async announced => {
  await expect(readMeasured(Readable.from([Buffer.from('[]')]), announced, 1000)).rejects.toMatchObject({
    code: 'not_json',
    message: 'The length of the body differs from Content-Length.',
  });
});
