/** Uploads: type, name and length from their headers, and their bytes as they come. */
import type { IncomingMessage } from 'node:http';
import { KernelError, sizeForPeople } from '@chat-kernel/protocol';

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Returns the media type without parameters, in lower case; the unknown type for a header that names none.
 * @throws KernelError unsupported_media_type for a form
 */
export function uploadedType(header: string | undefined): string {
  // bounded: a header.
  const type = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(;|$)/
    .exec(header ?? '')?.[1]
    ?.toLowerCase();
  if (type === 'multipart/form-data') {
    throw new KernelError(
      'unsupported_media_type',
      'Send the bytes of the file themselves, not a form with it.',
    );
  }
  return type ?? UNKNOWN_TYPE;
}

/**
 * Returns the name as it was sent, unsafe for a file system; empty where there is none.
 * @throws KernelError invalid_value
 */
export function uploadedName(header: string | undefined): string {
  try {
    // Node reads bytes beyond ASCII as Latin-1, which would be another name.
    if (/[^\x20-\x7e]/.test(header ?? '')) throw new URIError('not ASCII');
    return decodeURIComponent(header ?? '');
  } catch (cause) {
    throw new KernelError('invalid_value', 'X-File-Name: expected UTF-8, percent-encoded.', { cause });
  }
}

/** Refuses an upload that is too long by its own header. @param most bytes @throws KernelError body_too_large */
export function checkLength({ headers }: IncomingMessage, most: number): void {
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most);
}

/**
 * Yields the bytes; those of a piece are gone when the next is asked for.
 * @throws KernelError body_too_large, or invalid_value where the connection breaks
 */
export async function* uploadedBytes(body: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    // The connection stays open, or the client would not get the answer.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      yield chunk;
      // The chunk is on disk. Its memory is freed now: the garbage collector would come tens of megabytes later.
      if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
    }
  } catch (error) {
    if (!body.destroyed) throw error;
    throw new KernelError('invalid_value', 'The upload broke off before its end.', { cause: error });
  } finally {
    // The rest of the body is dropped.
    if (!body.destroyed) body.resume();
  }
}

const tooLarge = (most: number) =>
  new KernelError('body_too_large', `A file may have ${most} bytes (${sizeForPeople(most)}).`);
