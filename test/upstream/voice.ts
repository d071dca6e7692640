/**
 * The part of the scripted provider that transcribes and speaks: OpenAI's /audio/transcriptions and /audio/speech, as
 * strict about requests as the real ones, with responses in the formats that OpenAI and Groq document.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiFailure } from './openai-failure.ts';
import { failureOfStatus } from './wire.ts';

interface HeardRequest {
  path: string;
  headers: Record<string, string>;
  /** The fields of the form or the members of the body; the file is not among them. */
  fields: Record<string, string>;
  file?: { name: string; type: string; bytes: Buffer };
  /** The rejection with the text of the real API. */
  rejected?: string;
  /** Resolves with how it ended: a complete response, or the client disconnected. */
  ended: Promise<'sent' | 'aborted'>;
}

interface VoiceReply {
  /** Members of the transcription's JSON that replace those derived from the model. */
  json?: object;
  text?: string;
  /** The audio of speech. */
  audio?: Uint8Array;
  content_type?: string;
  /** 400 and above: the failure with that status. */
  status?: number;
  headers?: Record<string, string>;
  /** The response waits for this. */
  wait?: Promise<unknown>;
}

export interface VoiceUpstream {
  readonly requests: HeardRequest[];
  next(...replies: VoiceReply[]): void;
}

const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const SPEECH = '/v1/audio/speech';
const EXTENSIONS = /\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/;
const HEARD_FIELDS = [
  'model',
  'language',
  'prompt',
  'response_format',
  'temperature',
  'timestamp_granularities[]',
];
const SPOKEN_FIELDS = ['model', 'input', 'voice', 'response_format', 'speed', 'instructions'];
const AUDIO_TYPES: Record<string, string> = { mp3: 'audio/mpeg', wav: 'audio/wav', opus: 'audio/opus' };

/** The default transcription. */
export const HEARD = 'The quick brown fox jumps over the lazy dog.';

export class ScriptedVoice implements VoiceUpstream {
  readonly requests: HeardRequest[] = [];
  readonly #queue: VoiceReply[] = [];

  next(...replies: VoiceReply[]): void {
    this.#queue.push(...replies);
  }

  /** Drops unused replies. */
  forget(): void {
    this.#queue.splice(0);
  }

  takes({ method, url }: IncomingMessage): boolean {
    return method === 'POST' && (url === TRANSCRIPTIONS || url === SPEECH);
  }

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const ending = Promise.withResolvers<'sent' | 'aborted'>();
    response.on('close', () => ending.resolve(response.writableFinished ? 'sent' : 'aborted'));
    const request = { ...(await received(incoming)), ended: ending.promise };
    this.requests.push(request);
    const rejected = incoming.url === SPEECH ? refuseSpeech(request) : refuseTranscription(request);
    if (rejected !== undefined) {
      request.rejected = rejected;
      return fail(response, 400, rejected);
    }
    const reply = this.#queue.shift() ?? {};
    const left = new AbortController();
    response.on('close', () => left.abort());
    if (reply.wait)
      await Promise.race([
        reply.wait,
        sleep(300_000, undefined, { signal: left.signal }).catch(() => undefined),
      ]);
    if (response.destroyed) return;
    if ((reply.status ?? 200) >= 400) {
      // Real providers repeat the key that they received.
      const echo =
        reply.status === 401 ? `Incorrect API key provided: ${request.headers.authorization}.` : undefined;
      return fail(response, reply.status as number, echo, reply.headers);
    }
    if (incoming.url === SPEECH) {
      const type = AUDIO_TYPES[request.fields.response_format ?? 'mp3'] as string;
      response.writeHead(200, { 'content-type': reply.content_type ?? type });
      response.end(reply.audio ?? audioOf(request.fields));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.json ?? transcriptOf(request, reply.text ?? HEARD)));
  }
}

async function received(incoming: IncomingMessage): Promise<Omit<HeardRequest, 'ended'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const path = incoming.url ?? '';
  if (path === SPEECH) return { path, headers, fields: JSON.parse(body.toString()) };
  const form = await new Response(body, {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  const fields: Record<string, string> = {};
  let file: HeardRequest['file'];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else file = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { path, headers, fields, ...(file && { file }) };
}

/** A local server needs no key; an empty one is an error everywhere. */
const hasEmptyKey = ({ authorization }: Record<string, string>): boolean =>
  authorization !== undefined && !/^Bearer \S/.test(authorization);

function refuseTranscription({ headers, fields, file }: HeardRequest): string | undefined {
  const unknown = Object.keys(fields).find(name => !HEARD_FIELDS.includes(name));
  if (hasEmptyKey(headers)) return 'You didn’t provide an API key.';
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  if (!fields.model) return "Missing required parameter: 'model'.";
  if (!file) return "Missing required parameter: 'file'.";
  if (!EXTENSIONS.test(file.name)) return `Invalid file format: ${file.name}.`;
  if (file.bytes.length === 0) return 'Audio file is too short. Minimum audio length is 0.1 seconds.';
  if (fields.response_format === 'verbose_json' && !fields.model.includes('whisper')) {
    return "response_format 'verbose_json' is not compatible with this model.";
  }
  if (fields.language && !/^[a-z]{2,3}$/.test(fields.language))
    return `Language '${fields.language}' is not supported.`;
  return undefined;
}

function refuseSpeech({ headers, fields }: HeardRequest): string | undefined {
  const unknown = Object.keys(fields).find(name => !SPOKEN_FIELDS.includes(name));
  if (hasEmptyKey(headers)) return 'You didn’t provide an API key.';
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  if (!fields.model) return "Missing required parameter: 'model'.";
  if (!fields.input) return "Missing required parameter: 'input'.";
  if (fields.input.length > 4096) return 'String too long. Expected a string with maximum length 4096.';
  if (!fields.voice) return "Missing required parameter: 'voice'.";
  if (!['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'].includes(fields.response_format ?? 'mp3')) {
    return `Invalid value: '${fields.response_format}'.`;
  }
  return undefined;
}

/** whisper in its long form, OpenAI's newer models with their tokens, and Groq's short form. */
function transcriptOf({ fields }: HeardRequest, text: string): object {
  const segment = {
    ...{ id: 0, seek: 0, start: 0, end: 3, text: ` ${text}`, tokens: [50364, 440, 1702], temperature: 0 },
    ...{ avg_logprob: -0.28, compression_ratio: 1.2, no_speech_prob: 0.01 },
  };
  if (fields.response_format === 'verbose_json') {
    const usage = { type: 'duration', seconds: 3 };
    return { task: 'transcribe', language: 'english', duration: 2.95, text, segments: [segment], usage };
  }
  if (fields.model?.startsWith('gpt-')) {
    const input_token_details = { text_tokens: 4, audio_tokens: 26 };
    return {
      text,
      usage: { type: 'tokens', total_tokens: 42, input_tokens: 30, input_token_details, output_tokens: 12 },
    };
  }
  return { text, x_groq: { id: 'req_01jq0k1d9sfs5vbe0m5qz9d3rr' } };
}

const SAMPLES_PER_CHARACTER = 24;

/**
 * Audio that is as long as its text: a WAV with the endless lengths of a stream, or bytes that begin like the format.
 */
function audioOf({ input = '', response_format = 'mp3' }: Record<string, string>): Buffer {
  if (response_format === 'wav')
    return streamedWav(Buffer.alloc(input.length * SAMPLES_PER_CHARACTER * 2, 0x11));
  const head = response_format === 'opus' ? Buffer.from('OggS') : Buffer.from([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat([head, Buffer.from(`[${input.length}]`)]);
}

/** 24 kHz, 16 bits, one channel; the lengths in the header are those of an unfinished stream. */
export function streamedWav(samples: Buffer): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(0xffffffff, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(24_000, 24);
  head.writeUInt32LE(48_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(0xffffffff, 40);
  return Buffer.concat([head, samples]);
}

function fail(
  response: ServerResponse,
  status: number,
  message?: string,
  headers: Record<string, string> = {},
): void {
  const { body } = openaiFailure('input', failureOfStatus(status), message);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
