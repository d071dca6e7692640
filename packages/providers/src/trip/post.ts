/** Sends POST requests with Node's own HTTP, for an API without a package. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { textPieces } from '@chat-kernel/kernel';
import { AnswerGate, MAX_REFUSAL_BYTES } from './bounds.ts';
import { http, https } from './node-http.ts';
import type { AnswerHeaders } from './rate-limits.ts';

/** The receiver of a response. After `end` or `fail` it receives nothing more. */
export interface AnswerSink {
  text(text: string): void;
  end(): void;
  fail(error: unknown): void;
}

/** A refusal of the server: a response that is not a stream. */
class HttpFailure extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: string;

  constructor(answer: IncomingMessage, body: string) {
    super(answer.statusMessage ?? '');
    this.statusCode = answer.statusCode ?? 0;
    this.responseHeaders = toHeaders(answer);
    this.responseBody = body;
  }
}

/**
 * The server closed a reused connection after a request was sent on it. The server may have received the request, so
 * sending it again is a retry like any other.
 */
export class KeptConnectionClosed extends Error {
  readonly code = 'ECONNRESET';
}

interface PostOptions {
  /** The provider's name, for errors. */
  provider: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Opens a connection for this request only: after a reset, other idle connections are probably closed as well. */
  fresh: boolean;
  onHeaders(headers: AnswerHeaders): void;
  /** Called whenever bytes arrive. */
  onBytes(): void;
}

const idle = { keepAlive: true, maxFreeSockets: 256, timeout: 0 };
const agents = { 'http:': new http.Agent(idle), 'https:': new https.Agent(idle) };

/** Resolves when a stream begins. @throws HttpFailure, KeptConnectionClosed, or the error of the socket */
export async function post(url: string, sink: AnswerSink, options: PostOptions): Promise<void> {
  const body = await encode(options.body);
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const request = (secure ? https : http).request(target, {
      method: 'POST',
      agent: options.fresh ? false : secure ? agents['https:'] : agents['http:'],
      signal: options.signal,
      headers: { ...options.headers, 'content-length': body.reduce((sum, { length }) => sum + length, 0) },
    });
    let answered = false;
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answered) sink.fail(error);
      else if (request.reusedSocket && error.code === 'ECONNRESET')
        reject(new KeptConnectionClosed(error.message, { cause: error }));
      else reject(error);
    });
    request.on('response', answer => {
      answered = true;
      const headers = toHeaders(answer);
      options.onHeaders({ get: name => headers[name] ?? null });
      if (isAnswer(answer)) {
        pipe(answer, sink, options);
        resolve();
      } else {
        readRefusal(answer).then(reject, reject);
      }
    });
    for (const bytes of body) request.write(bytes);
    request.end();
  });
}

/** Characters that are encoded at once: a long history takes longer than the event loop may be blocked (SAFE-7). */
const ENCODED = 1024 * 1024;

async function encode(text: string): Promise<Buffer[]> {
  const encoded: Buffer[] = [];
  for (const piece of textPieces(text, ENCODED)) {
    if (encoded.length > 0) await nextTick();
    encoded.push(Buffer.from(piece));
  }
  return encoded;
}

const isAnswer = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

/** Passes the bytes of an answer on as text, in complete lines. */
export function pipe(
  answer: Readable & Pick<IncomingMessage, 'complete'>,
  sink: AnswerSink,
  { provider, onBytes }: Pick<PostOptions, 'onBytes' | 'provider'>,
): void {
  const gate = new AnswerGate(provider, true);
  // An error here (a limit exceeded, or an unexpected response) must end the request and not the process.
  let failed = false;
  const orFail = (step: () => void) => {
    // Parts that had arrived before are still delivered.
    if (failed) return;
    try {
      step();
    } catch (error) {
      failed = true;
      sink.fail(error);
      answer.destroy();
    }
  };
  const pass = (bytes: Uint8Array) => {
    if (bytes.length > 0) sink.text(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  };
  answer.on('data', (bytes: Buffer) => {
    onBytes();
    orFail(() => pass(gate.take(bytes)));
  });
  answer.on('end', () =>
    orFail(() => {
      pass(gate.rest());
      sink.end();
    }),
  );
  answer.on('error', error => sink.fail(error));
  answer.on('close', () => {
    if (!answer.complete)
      sink.fail(Object.assign(new Error('The connection broke.'), { code: 'ECONNRESET' }));
  });
}

/** Reads the beginning of a refusal and ignores the rest. */
async function readRefusal(answer: IncomingMessage): Promise<HttpFailure> {
  answer.setEncoding('utf8');
  let body = '';
  for await (const text of answer) {
    body += text;
    if (body.length > MAX_REFUSAL_BYTES) break;
  }
  return new HttpFailure(answer, body.slice(0, MAX_REFUSAL_BYTES));
}

function toHeaders(answer: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
