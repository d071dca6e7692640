/**
 * Converts pictures of an export to blocks: of the types that models accept, and at most as many as one request can
 * carry.
 */
import type { ImageMediaType, ImportBlock } from '@chat-kernel/protocol';
import { leftOut as leave } from '../base/blocks.ts';
import type { LeftOut, Pictures } from '../base/incoming.ts';

/** @param pointer the placeholder in the message, such as `file-service://file-abc` */
export async function loadPicture(
  pointer: string,
  leftOut: LeftOut,
  pictures: Pictures,
): Promise<ImportBlock> {
  const id = pictureId(pointer);
  const bytes = id === undefined ? undefined : await pictures(id);
  if (bytes === undefined) return leave(leftOut, 'picture', `the picture ${id ?? 'of no known name'}`);
  const media_type = detectMediaType(bytes);
  if (media_type === undefined)
    return leave(leftOut, 'picture', `the picture ${id}, which is no PNG, JPEG, GIF or WebP`);
  return { type: 'image', media_type, data: Buffer.from(bytes).toString('base64') };
}

/** The id at the beginning of a pointer, after its scheme, or of the name of a file: `file-abc`, `file_abc`. */
export const pictureId = (words: string): string | undefined =>
  /^(?:[a-z-]+:\/\/)?(file[-_][A-Za-z0-9]+)/.exec(words)?.[1];

function detectMediaType(bytes: Uint8Array): ImageMediaType | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
