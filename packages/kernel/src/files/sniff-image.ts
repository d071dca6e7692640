/** The type of an image that a client sent, as its bytes show it, against the type that the client claims (IMG-1). */
import { type ImageMediaType, KernelError } from '@chat-kernel/protocol';
import { tooManyPixels } from './image-size.ts';

/**
 * Returns the bytes.
 * @throws KernelError invalid_value where they are no base64, no image of the type they claim, or too many pixels
 */
export function sniffImage(image: { media_type: ImageMediaType; data: string }, pointer: string): Uint8Array {
  const { media_type, data } = image;
  if (data === '' || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    throw wrong(`${pointer}/data`, 'The data is not base64.');
  }
  const bytes = Buffer.from(data, 'base64');
  const found = mediaTypeOf(bytes);
  if (found === null) throw wrong(`${pointer}/data`, 'The data is no PNG, JPEG, GIF or WebP image.');
  if (found !== media_type) throw wrong(`${pointer}/media_type`, `The data is ${found}, not ${media_type}.`);
  const mistake = tooManyPixels(bytes);
  if (mistake !== undefined) throw wrong(`${pointer}/data`, mistake);
  return bytes;
}

function mediaTypeOf(bytes: Buffer): ImageMediaType | null {
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  return null;
}

const wrong = (pointer: string, detail: string) =>
  new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
