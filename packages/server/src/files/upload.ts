/** What an upload says about itself, and its bytes as they come. */
import type { IncomingMessage } from 'node:http';
import { KernelError, sizeForPeople } from '@chat-kernel/protocol';

const UNKNOWN_TYPE = 'application/octet-stream';

/** Without parameters, in lower case; what is none is unknown. @throws KernelError unsupported_media_type: a form */
export function uploadedType(header: string | undefined): string {
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

/** Empty where there is none; not made safe yet. @throws KernelError invalid_value */
export function uploadedName(header: string | undefined): string {
  try {
    // Bytes beyond ASCII come as if they were Latin-1, which would be another name.
    if (/[^\x20-\x7e]/.test(header ?? '')) throw new URIError('not ASCII');
    return decodeURIComponent(header ?? '');
  } catch (cause) {
    throw new KernelError('invalid_value', 'X-File-Name: expected UTF-8, percent-encoded.', { cause });
  }
}

/** Refuses at once what says that it is too long. @throws KernelError body_too_large */
export function checkLength({ headers }: IncomingMessage, most: number): void {
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most);
}

/** Each piece is good until the next is asked for. @throws KernelError body_too_large, or invalid_value where the line breaks */
export async function* uploadedBytes(body: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    // The connection must stay, or the client would never hear why.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      yield chunk;
      // It is on disk: given back now, and not when V8 next looks, which would be tens of megabytes later.
      if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
    }
  } catch (error) {
    if (!body.destroyed) throw error;
    throw new KernelError('invalid_value', 'The upload broke off before its end.', { cause: error });
  } finally {
    // What still comes is thrown away.
    if (!body.destroyed) body.resume();
  }
}

const tooLarge = (most: number) =>
  new KernelError('body_too_large', `A file may have ${most} bytes (${sizeForPeople(most)}).`);
