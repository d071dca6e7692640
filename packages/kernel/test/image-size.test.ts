/** Tests the size of an image that its header states, in each form that clients may send. */
import { describe, expect, it } from 'vitest';
import { tooManyPixels } from '../src/files/sniff-image.ts';

const text = (latin1: string) => Buffer.from(latin1, 'latin1');

function png(width: number, height: number): Buffer {
  const bytes = Buffer.concat([text('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR'), Buffer.alloc(8)]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function gif(width: number, height: number): Buffer {
  const bytes = Buffer.concat([text('GIF89a'), Buffer.alloc(4)]);
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** A segment of a JPEG. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function frame(marker: number, width: number, height: number): Buffer {
  const content = Buffer.alloc(15, 8);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return segment(marker, content);
}

const jpeg = (...segments: Buffer[]): Buffer => Buffer.concat([text('\xff\xd8'), ...segments]);

/** @param body the bytes after the name of the form and its size */
const webp = (form: string, body: Buffer): Buffer =>
  Buffer.concat([text(`RIFF\0\0\0\0WEBP${form}`), Buffer.alloc(4), body]);

function extended(width: number, height: number): Buffer {
  const body = Buffer.alloc(10);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return webp('VP8X', body);
}

function lossless(width: number, height: number): Buffer {
  const body = Buffer.alloc(5, 0x2f);
  // The highest bits are the version and whether there is transparency.
  body.writeUInt32LE((width - 1 + (height - 1) * 2 ** 14 + 2 ** 28) >>> 0, 1);
  return webp('VP8L', body);
}

function lossy(width: number, height: number): Buffer {
  const body = Buffer.alloc(10, 0x9d);
  // The two highest bits are a scale.
  body.writeUInt16LE(width + 0x4000, 6);
  body.writeUInt16LE(height + 0x8000, 8);
  return webp('VP8 ', body);
}

describe.each<[string, (width: number, height: number) => Buffer]>([
  ['PNG', png],
  ['GIF', gif],
  ['JPEG', (width, height) => jpeg(frame(0xc0, width, height))],
  ['extended WebP', extended],
  ['lossless WebP', lossless],
  ['lossy WebP', lossy],
])('the header of a %s image', (_, image) => {
  it('is accepted up to 120 million pixels, and rejected with its size above them', () => {
    expect(tooManyPixels(image(12_000, 10_000))).toBeUndefined();
    expect(tooManyPixels(image(10_000, 12_000))).toBeUndefined();
    expect(tooManyPixels(image(12_000, 10_001))).toBe(
      'The image has 12000 x 10001 pixels; the limit is 120 million pixels.',
    );
    expect(tooManyPixels(image(10_001, 12_000))).toMatch('10001 x 12000');
  });

  it('is accepted when it is cut off before the size', () => {
    const whole = image(16_000, 16_000);
    for (let end = 0; end < 10; end++) expect(tooManyPixels(whole.subarray(0, end))).toBeUndefined();
  });
});

it('finds the size of a JPEG image behind other segments and fill bytes', () => {
  const large = frame(0xc2, 16_000, 16_000);
  const small = Buffer.alloc(15);
  const others = [0x01, 0xbf, 0xc4, 0xc8, 0xcc, 0xd0, 0xe0, 0xfe].map(marker => segment(marker, small));
  expect(tooManyPixels(jpeg(...others, text('\xff\xff'), large))).toMatch('16000 x 16000');
  // Only a frame has a size.
  const tables = [0xc4, 0xc8, 0xcc].map(marker => frame(marker, 16_000, 16_000));
  expect(tooManyPixels(jpeg(...tables, frame(0xcf, 1, 1)))).toBeUndefined();
  expect(tooManyPixels(jpeg(text('no segment'), large))).toBeUndefined();
});

it('accepts bytes that are not an image, and an unknown form of WebP', () => {
  expect(tooManyPixels(text('%PDF-1.7, which has no size in pixels'))).toBeUndefined();
  expect(tooManyPixels(webp('ALPH', Buffer.alloc(40, 0xff)))).toBeUndefined();
  expect(tooManyPixels(Buffer.alloc(0))).toBeUndefined();
});
