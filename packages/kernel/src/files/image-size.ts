/** Reads the size of an image in pixels from its header: a file of a megabyte can be a gigabyte once it is decoded. */

/** The maximum number of pixels of an image: more than current cameras produce in their usual modes. */
export const MAX_IMAGE_PIXELS = 120_000_000;

interface Size {
  width: number;
  height: number;
}

/** Returns a sentence about an image that has too many pixels; undefined if it has not, or its size is unknown. */
export function tooManyPixels(bytes: Uint8Array): string | undefined {
  const size = parseSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (size === undefined || size.width * size.height <= MAX_IMAGE_PIXELS) return undefined;
  const most = MAX_IMAGE_PIXELS / 1_000_000;
  return `The image has ${size.width} x ${size.height} pixels; the limit is ${most} million pixels.`;
}

/** Returns the size in the header; undefined if the bytes end before it, or are not an image. */
function parseSize(bytes: Buffer): Size | undefined {
  try {
    const start = bytes.toString('latin1', 0, 16);
    if (start.startsWith('\x89PNG')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (start.startsWith('GIF8')) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    if (start.startsWith('\xff\xd8')) return sizeOfJpeg(bytes);
    if (start.startsWith('RIFF')) return sizeOfWebp(bytes, start.slice(12, 16));
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A JPEG is a sequence of segments; the one that begins a frame has the size. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    // A segment may be preceded by any number of 0xff bytes.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, without three markers in between that mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The three forms of WebP: extended, lossless, lossy. */
function sizeOfWebp(bytes: Buffer, form: string): Size | undefined {
  switch (form) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
