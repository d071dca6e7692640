/** Reads audio to transcribe: the bytes of a request body, or an uploaded file. */
import type { IncomingMessage } from 'node:http';
import { checkLength, uploadedBytes, uploadedType } from '@chat-kernel/http';
import type { Audio, Files } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';

/** The maximum that providers accept. */
const MAX_AUDIO_BYTES = 25 * 1024 * 1024;

/** Reads the audio of a body. @throws KernelError unsupported_media_type, body_too_large, invalid_value */
export async function sentAudio(request: IncomingMessage): Promise<Audio> {
  const { headers } = request;
  if (!hasBody(request)) throw new KernelError('invalid_value', 'The body is empty. Send the audio data.');
  const media_type = checkedType(uploadedType(headers['content-type']));
  checkLength(request, MAX_AUDIO_BYTES);
  const bytes = await readAll(uploadedBytes(request, MAX_AUDIO_BYTES));
  if (bytes.length === 0) throw new KernelError('invalid_value', 'The body is empty. Send the audio data.');
  return { bytes, media_type };
}

/**
 * Reads the audio of an uploaded file. @throws KernelError not_found, unsupported_media_type, body_too_large,
 * invalid_value
 */
export async function uploadedAudio(id: string, files: Files, request: IncomingMessage): Promise<Audio> {
  if (hasBody(request)) {
    throw new KernelError('invalid_value', 'Send either a body or file_id.');
  }
  const file = await files.file(id);
  const media_type = checkedType(file.media_type);
  if (file.size > MAX_AUDIO_BYTES) {
    throw new KernelError('body_too_large', `The file is larger than ${MAX_AUDIO_BYTES} bytes (25 MB).`);
  }
  return { bytes: await readAll(await files.bytes(file)), media_type };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

/** Browsers also record audio into containers with a video type. */
function checkedType(type: string): string {
  if (/^audio\/|^video\/(webm|mp4)$/.test(type)) return type;
  throw new KernelError('unsupported_media_type', `Expected audio, such as audio/webm, but got ${type}.`);
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  // Each piece is copied, because an upload reuses its buffer when the next one is read.
  for await (const piece of bytes) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
