/**
 * Prepares images for requests: scales them down to a size that every provider accepts, never up. An unreadable image
 * becomes a note to the model, because a single broken file must not make a chat unusable forever.
 */
import { Semaphore } from '@chat-kernel/base';
import { MAX_IMAGE_PIXELS } from '@chat-kernel/kernel';
import type { ImageMediaType } from '@chat-kernel/protocol';

/** The longest side at which Anthropic neither refuses nor scales; also below the 2000 px limit for many images. */
const LONGEST_SIDE = 1568;
/** Anthropic's limit for an image, in base64 characters. */
const MAX_CHARACTERS = 5 * 1024 * 1024;
/** Size of the cache that serves the next turns, in base64 characters. */
const CACHE_CHARACTERS = 64 * 1024 * 1024;

/**
 * Decoding uses the same threads as reading files, and takes memory by pixel count. So only a few images are decoded
 * concurrently, across all chats.
 */
const decoding = new Semaphore(2);

export type OutgoingImage = { media_type: ImageMediaType; base64: string } | { note: string };

/** Key → image, least recently used first. */
const cache = new Map<string, OutgoingImage>();
let cachedCharacters = 0;

/** Returns the image to send. `key` always identifies the same bytes; `load` returns undefined if they are deleted. */
export async function outgoingImage(
  key: string,
  load: () => Promise<Uint8Array | undefined>,
): Promise<OutgoingImage> {
  const known = cache.get(key);
  if (known) {
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const bytes = await load();
  if (!bytes) return { note: '[An image stood here; it is no longer stored.]' };
  const image = await decoding.run(() => fit(bytes));
  remember(key, image);
  return image;
}

async function fit(bytes: Uint8Array): Promise<OutgoingImage> {
  const sharp = await import('sharp').then(
    module => module.default,
    () => undefined,
  );
  // The optional packages are not installed, or do not support this machine.
  if (!sharp) return { note: '[An image stood here; this kernel was installed without what reads images.]' };
  try {
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > MAX_IMAGE_PIXELS) {
      return { note: `[An image stood here; its ${width} x ${height} pixels are too many to be shown.]` };
    }
    const asIs = MEDIA_TYPES[format];
    if (asIs && Math.max(width, height) <= LONGEST_SIDE && base64Length(bytes.length) <= MAX_CHARACTERS) {
      return { media_type: asIs, base64: Buffer.from(bytes).toString('base64') };
    }
    const scaled = sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS })
      .autoOrient()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true });
    const kept = asIs === 'image/gif' || !asIs ? 'png' : (format as 'png' | 'jpeg' | 'webp');
    const same = await scaled.clone().toFormat(kept).toBuffer();
    if (base64Length(same.length) <= MAX_CHARACTERS) {
      return { media_type: `image/${kept}`, base64: same.toString('base64') };
    }
    const smaller = await scaled.flatten({ background: '#fff' }).jpeg({ quality: 80 }).toBuffer();
    return { media_type: 'image/jpeg', base64: smaller.toString('base64') };
  } catch {
    // sharp has many errors for invalid images; one note is enough for the model.
    return { note: '[An image stood here; it is broken and cannot be shown.]' };
  }
}

const MEDIA_TYPES: Partial<Record<string, ImageMediaType>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;

function remember(key: string, image: OutgoingImage): void {
  if (cache.has(key)) return;
  cache.set(key, image);
  cachedCharacters += imageSize(image);
  for (const [oldest, old] of cache) {
    if (cachedCharacters <= CACHE_CHARACTERS) return;
    cache.delete(oldest);
    cachedCharacters -= imageSize(old);
  }
}

const imageSize = (image: OutgoingImage) => ('note' in image ? image.note.length : image.base64.length);
