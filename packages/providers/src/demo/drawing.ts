/** Draws a small PNG without a library: a disc on a gradient, in colors that depend on the text. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Draws 256 by 256 pixels, 8 bits RGB; the same text gives the same bytes. */
export function drawPng(text: string): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Bit depth 8, color type 2 (RGB); compression, filter and interlace method 0.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(createHash('sha256').update(text).digest()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns rows of RGB, each after its filter byte 0. */
function pixels(seed: Buffer): Buffer {
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3));
  const [x = 0, y = 0, size = 0] = seed.subarray(9);
  const radius = 40 + (size % 60);
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const inside = Math.hypot(column - 64 - x / 2, row - 64 - y / 2) < radius;
      for (let colour = 0; colour < 3; colour++) {
        const from = seed[colour] ?? 0;
        const to = seed[3 + colour] ?? 0;
        const ground = from + ((to - from) * (row + column)) / (2 * SIZE);
        rows[row * (1 + SIZE * 3) + 1 + column * 3 + colour] = inside ? (seed[6 + colour] ?? 0) : ground;
      }
    }
  }
  return rows;
}

/** Creates a chunk: length, type, data and the checksum of the latter two. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
