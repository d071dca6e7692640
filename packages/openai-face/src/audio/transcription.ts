/** Serves audio transcriptions: converts a form with a file to a transcription call of the kernel. */
import type { IncomingHttpHeaders } from 'node:http';
import type { KernelClient } from '@chat-kernel/client';
import type { FaceAnswer } from '@chat-kernel/http';
import { invalid, OpenAiError } from '../wire/openai-error.ts';
import { toOpenAiError } from '../wire/problems.ts';

/** Types of files without a stated type, by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'audio/mpeg',
  mpga: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'video/webm',
};
/** Fields that the kernel honors. */
const READ = ['file', 'model', 'language', 'response_format', 'stream'];
/** Fields that only tune the recognition. */
const TUNING = ['prompt', 'temperature'];

/** @throws OpenAiError */
export async function transcribe(
  kernel: KernelClient,
  headers: IncomingHttpHeaders,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<FaceAnswer> {
  const form = await readForm(headers, bytes);
  const file = form.get('file');
  if (file === null || typeof file === 'string') throw invalid('file', 'file must be an audio file.');
  const model = readField(form, 'model');
  if (model === undefined) throw invalid('model', 'model must be a model id.');
  refuse(form);
  const language = readField(form, 'language');
  const audio = { media_type: detectType(file), bytes: await file.bytes() };
  const answer = await kernel
    .transcribe(audio, { model, ...(language !== undefined && { language }) }, { signal })
    .catch(error => {
      throw toOpenAiError(error, 'file');
    });
  const tuned = TUNING.filter(name => form.has(name)).map(name => `/${name}`);
  const ignored: Record<string, string> = tuned.length > 0 ? { 'x-ignored-fields': tuned.join(',') } : {};
  if (readField(form, 'response_format') === 'text') {
    return {
      status: 200,
      headers: { ...ignored, 'content-type': 'text/plain; charset=utf-8' },
      body: once(`${answer.text}\n`),
    };
  }
  const { text, duration_secs } = answer;
  const usage = duration_secs === null ? {} : { usage: { type: 'duration', seconds: duration_secs } };
  return { status: 200, headers: ignored, body: { text, ...usage } };
}

/** @throws OpenAiError for an unsupported field that would change the answer */
function refuse(form: FormData): void {
  const format = readField(form, 'response_format') ?? 'json';
  if (format !== 'json' && format !== 'text') {
    throw invalid('response_format', 'Supported formats: json, text.', 'unsupported_parameter');
  }
  if ((readField(form, 'stream') ?? 'false') !== 'false') {
    throw invalid('stream', 'Streaming transcriptions is not supported.', 'unsupported_parameter');
  }
  const other = [...form.keys()].find(name => ![...READ, ...TUNING].includes(name));
  if (other === undefined) return;
  throw invalid(other, `This parameter is not supported: ${other.slice(0, 100)}.`, 'unsupported_parameter');
}

/** The type of a file as stated by its sender, or else by its name. */
function detectType({ name, type }: File): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return /^(?:audio|video)\//.test(type) ? type : (TYPES[ending] ?? type);
}

async function* once(text: string): AsyncGenerator<string, void> {
  yield text;
}

/** Maximum size of a form in bytes: the largest audio that the kernel accepts, plus space for fields and boundaries. */
const MAX_BYTES = 26 * 1024 * 1024;

/**
 * Reads the multipart form of a request completely: its fields and its one file.
 * @throws OpenAiError if it is not a multipart form, or too large
 */
async function readForm(
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
function readField(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(name, `${name} must be a string.`);
  return value;
}
