/** Audio that somebody sends to be written down: the bytes of a body, or an uploaded file. */
import type { IncomingMessage } from 'node:http';
import type { Audio, Kernel } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import { checkLength, uploadedBytes, uploadedType } from './upload.ts';

/** Providers take no more. */
const MOST_AUDIO_BYTES = 25 * 1024 * 1024;

/** The audio of a body. @throws KernelError unsupported_media_type, body_too_large, invalid_value */
export async function sentAudio(request: IncomingMessage): Promise<Audio> {
  const { headers } = request;
  if (!hasBody(request))
    throw new KernelError('invalid_value', 'The body is empty: send the bytes of the audio.');
  const media_type = checkedType(uploadedType(headers['content-type']));
  checkLength(request, MOST_AUDIO_BYTES);
  const bytes = await wholeOf(uploadedBytes(request, MOST_AUDIO_BYTES));
  if (bytes.length === 0)
    throw new KernelError('invalid_value', 'The body is empty: send the bytes of the audio.');
  return { bytes, media_type };
}

/** The audio of an uploaded file. @throws KernelError not_found, unsupported_media_type, body_too_large, invalid_value */
export async function uploadedAudio(id: string, kernel: Kernel, request: IncomingMessage): Promise<Audio> {
  if (hasBody(request)) {
    throw new KernelError('invalid_value', 'Send either a body or file_id.');
  }
  const file = await kernel.files.file(id);
  const media_type = checkedType(file.media_type);
  if (file.size > MOST_AUDIO_BYTES) {
    throw new KernelError('body_too_large', `The file has more than ${MOST_AUDIO_BYTES} bytes (25 MB).`);
  }
  return { bytes: await wholeOf(await kernel.files.bytes(file)), media_type };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

/** Browsers record into containers that go by the name of video, too. */
function checkedType(type: string): string {
  if (/^audio\/|^video\/(webm|mp4)$/.test(type)) return type;
  throw new KernelError('unsupported_media_type', `Expected audio, such as audio/webm, and got ${type}.`);
}

async function wholeOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  // Copies: an upload takes the memory of a piece back once the next is asked for.
  for await (const piece of bytes) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
