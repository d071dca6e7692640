/** Checks the type of an image from a client: its bytes must match the type that the client states (IMG-1). */
import { type ImageMediaType, KernelError } from '@chat-kernel/protocol';
import { tooManyPixels } from './image-size.ts';

/**
 * Returns the bytes.
 * @throws KernelError invalid_value if they are not base64, not an image of the stated type, or have too many pixels
 */
export function sniffImage(image: { media_type: ImageMediaType; data: string }, pointer: string): Uint8Array {
  const { media_type, data } = image;
  const bytes = Buffer.from(data, 'base64');
  if (!isBase64(data, bytes.length)) throw wrong(`${pointer}/data`, 'The data is not valid base64.');
  const found = detectMediaType(bytes);
  if (found === null) throw wrong(`${pointer}/data`, 'The data is not a PNG, JPEG, GIF or WebP image.');
  if (found !== media_type) throw wrong(`${pointer}/media_type`, `The data is ${found}, not ${media_type}.`);
  const mistake = tooManyPixels(bytes);
  if (mistake !== undefined) throw wrong(`${pointer}/data`, mistake);
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

const wrong = (pointer: string, detail: string) =>
  new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
