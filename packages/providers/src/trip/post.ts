/** A POST over Node's own HTTP, for a wire that the kernel speaks itself. */
import type { IncomingMessage } from 'node:http';
import { AnswerGate, MOST_REFUSAL_BYTES } from './bounds.ts';
import { http, https } from './node-http.ts';
import type { AnswerHeaders } from './rate-limits.ts';

/** The receiver of an answer. After `end` or `fail` nothing more comes. */
export interface AnswerSink {
  text(text: string): void;
  end(): void;
  fail(error: unknown): void;
}

/** The refusal of a server: an answer that is no stream. */
class HttpFailure extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: string;

  constructor(answer: IncomingMessage, body: string) {
    super(answer.statusMessage ?? '');
    this.statusCode = answer.statusCode ?? 0;
    this.responseHeaders = headersOf(answer);
    this.responseBody = body;
  }
}

interface PostOptions {
  /** The name of the provider, for errors. */
  provider: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  onHeaders(headers: AnswerHeaders): void;
  /** Called at each sign of life. */
  onBytes(): void;
}

const idle = { keepAlive: true, maxFreeSockets: 256, timeout: 0 };
const agents = { 'http:': new http.Agent(idle), 'https:': new https.Agent(idle) };

/** Resolves when a stream begins. @throws HttpFailure, or the error of the socket */
export function post(url: string, sink: AnswerSink, options: PostOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const request = (secure ? https : http).request(target, {
      method: 'POST',
      agent: secure ? agents['https:'] : agents['http:'],
      signal: options.signal,
      headers: { ...options.headers, 'content-length': Buffer.byteLength(options.body) },
    });
    let answered = false;
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answered) sink.fail(error);
      // The server closed the idle connection just as it was taken, and saw nothing of this request.
      else if (request.reusedSocket && error.code === 'ECONNRESET')
        post(url, sink, options).then(resolve, reject);
      else reject(error);
    });
    request.on('response', answer => {
      answered = true;
      const headers = headersOf(answer);
      options.onHeaders({ get: name => headers[name] ?? null });
      if (isStream(answer)) {
        pipe(answer, sink, options);
        resolve();
      } else {
        refusalOf(answer).then(reject, reject);
      }
    });
    request.end(options.body);
  });
}

/** Servers that are careless about the type of their stream are careful about that of an error. */
const isStream = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  statusCode >= 200 && statusCode < 300 && !/application\/json/.test(headers['content-type'] ?? '');

function pipe(answer: IncomingMessage, sink: AnswerSink, { provider, onBytes }: PostOptions): void {
  const gate = new AnswerGate(provider, true);
  // What throws here, over a bound or over an answer of a strange shape, is the end of the trip and not of the process.
  let failed = false;
  const orFail = (step: () => void) => {
    // What had come already is still given out.
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

/** Reads the beginning of a refusal; what follows of it is left. */
async function refusalOf(answer: IncomingMessage): Promise<HttpFailure> {
  answer.setEncoding('utf8');
  let body = '';
  for await (const text of answer) {
    body += text;
    if (body.length > MOST_REFUSAL_BYTES) break;
  }
  return new HttpFailure(answer, body.slice(0, MOST_REFUSAL_BYTES));
}

function headersOf(answer: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
