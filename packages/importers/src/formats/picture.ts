/** Pictures of an export as blocks: of the kinds that models take, and not more than one request carries. */
import type { ImageMediaType, ImportBlock } from '@chat-kernel/protocol';
import type { LeftOut, Pictures } from '../base/incoming.ts';
import { leftOut as leave } from '../base/said.ts';

/** @param pointer what the message has in its place, such as `file-service://file-abc` */
export async function pictureOf(pointer: string, leftOut: LeftOut, pictures: Pictures): Promise<ImportBlock> {
  const id = pictureId(pointer);
  const bytes = id === undefined ? undefined : await pictures(id);
  if (bytes === undefined) return leave(leftOut, 'picture', `the picture ${id ?? 'of no known name'}`);
  const media_type = typeOf(bytes);
  if (media_type === undefined)
    return leave(leftOut, 'picture', `the picture ${id}, which is no PNG, JPEG, GIF or WebP`);
  return { type: 'image', media_type, data: Buffer.from(bytes).toString('base64') };
}

/** The id that begins a pointer, behind its scheme, or the name of a file: `file-abc`, `file_abc`. */
export const pictureId = (words: string): string | undefined =>
  /^(?:[a-z-]+:\/\/)?(file[-_][A-Za-z0-9]+)/.exec(words)?.[1];

function typeOf(bytes: Uint8Array): ImageMediaType | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
