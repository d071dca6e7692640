/** Checks the type of an image from a client: its bytes must match the type that the client states (IMG-1). */
import { type ImageMediaType, invalidValue } from '@chat-kernel/protocol';

/**
 * Returns the bytes.
 * @throws KernelError invalid_value if they are not base64, not an image of the stated type, or have too many pixels
 */
export function sniffImage(image: { media_type: ImageMediaType; data: string }, pointer: string): Uint8Array {
  const { media_type, data } = image;
  const bytes = Buffer.from(data, 'base64');
  if (!isBase64(data, bytes.length)) throw invalidValue(`${pointer}/data`, 'The data is not valid base64.');
  const found = detectMediaType(bytes);
  if (found === null)
    throw invalidValue(`${pointer}/data`, 'The data is not a PNG, JPEG, GIF or WebP image.');
  if (found !== media_type)
    throw invalidValue(`${pointer}/media_type`, `The data is ${found}, not ${media_type}.`);
  const mistake = tooManyPixels(bytes);
  if (mistake !== undefined) throw invalidValue(`${pointer}/data`, mistake);
  return bytes;
}

/**
 * Whether a text is base64 that was decoded to this many bytes. The decoder skips other characters, and ends at the first
 * `=`, so the number is too small then. A pattern would take three times as long as the decoder.
 */
function isBase64(data: string, decoded: number): boolean {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const isWhole = data !== '' && data.length % 4 === 0 && decoded === (data.length / 4) * 3 - padding;
  // The decoder also accepts the alphabet for URLs.
  return isWhole && !data.includes('-') && !data.includes('_');
}

/** Returns the type that the bytes show; null if they are not an image that models accept. */
export function detectMediaType(bytes: Buffer): ImageMediaType | null {
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  return null;
}

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
