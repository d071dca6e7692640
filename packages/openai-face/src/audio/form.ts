/** Reads the multipart form of a request completely: its fields and its one file. */
import type { IncomingHttpHeaders } from 'node:http';
import { invalid, OpenAiError } from '../wire/openai-error.ts';

/** Maximum size of a form in bytes: the largest audio that the kernel accepts, plus space for fields and boundaries. */
const MAX_BYTES = 26 * 1024 * 1024;

/** @throws OpenAiError if it is not a multipart form, or too large */
export async function readForm(
  { 'content-type': type = '' }: IncomingHttpHeaders,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FormData> {
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new OpenAiError({
      status: 415,
      message: 'The body must be multipart/form-data.',
      code: 'unsupported_media_type',
    });
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_BYTES) {
      throw new OpenAiError({
        status: 413,
        message: 'The audio is larger than 25 MB.',
        code: 'body_too_large',
      });
    }
    pieces.push(Uint8Array.from(piece));
  }
  try {
    return await new Response(new Blob(pieces), { headers: { 'content-type': type } }).formData();
  } catch {
    throw invalid(null, 'The body is not valid multipart/form-data.');
  }
}

/** The text of a field; undefined if it is absent or empty. @throws OpenAiError for a file */
export function readField(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(name, `${name} must be a string.`);
  return value;
}
