/** Reads uploads: type, name and length from their headers, and their bytes as they arrive. */
import type { IncomingMessage } from 'node:http';
import { KernelError, sizeForPeople } from '@chat-kernel/protocol';

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Returns the media type without parameters, in lower case; the unknown type if the header names none.
 * @throws KernelError unsupported_media_type for a form
 */
export function uploadedType(header: string | undefined): string {
  // bounded: by the size of a header.
  const type = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(;|$)/
    .exec(header ?? '')?.[1]
    ?.toLowerCase();
  if (type === 'multipart/form-data') {
    throw new KernelError('unsupported_media_type', 'Send the file content as the body, not as a form.');
  }
  return type ?? UNKNOWN_TYPE;
}

/**
 * Returns the name as sent, which is unsafe for a file system; empty if there is none.
 * @throws KernelError invalid_value
 */
export function uploadedName(header: string | undefined): string {
  try {
    // Node decodes bytes beyond ASCII as Latin-1, which would change the name.
    if (/[^\x20-\x7e]/.test(header ?? '')) throw new URIError('not ASCII');
    return decodeURIComponent(header ?? '');
  } catch (cause) {
    throw new KernelError('invalid_value', 'X-File-Name: expected percent-encoded UTF-8.', { cause });
  }
}

/**
 * Rejects an upload whose header states a length above the limit. @param most bytes @throws KernelError body_too_large
 */
export function checkLength({ headers }: IncomingMessage, most: number): void {
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most);
}

/**
 * Yields the bytes; the buffer of a piece is released when the next one is read.
 * @throws KernelError body_too_large, or invalid_value if the connection drops
 */
export async function* uploadedBytes(body: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    // The connection stays open; otherwise the client would not receive the answer.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      yield chunk;
      // The chunk is on disk. Free its memory now: the garbage collector would run tens of megabytes later.
      if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
    }
  } catch (error) {
    if (!body.destroyed) throw error;
    throw new KernelError('invalid_value', 'The upload ended before it was complete.', { cause: error });
  } finally {
    // The rest of the body is dropped.
    if (!body.destroyed) body.resume();
  }
}

const tooLarge = (most: number) =>
  new KernelError(
    'body_too_large',
    `The file is too large. The limit is ${most} bytes (${sizeForPeople(most)}).`,
  );
