/** Sends POST requests, for an API without a package. */
import type { Readable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { loopTime, textPieces } from '@chat-kernel/kernel';
import { type Answer, readAtMost, send } from '@chat-kernel/net';
import { AnswerGate, MAX_REFUSAL_BYTES } from './bounds.ts';
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

  constructor({ status, statusText, headers }: Answer, body: string) {
    super(statusText);
    this.statusCode = status;
    this.responseHeaders = headers;
    this.responseBody = body;
  }
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

/** Resolves when a stream begins. @throws HttpFailure, KeptConnectionClosed, or the error of the socket */
export async function post(url: string, sink: AnswerSink, options: PostOptions): Promise<void> {
  const { headers, signal, fresh } = options;
  const body = await encode(options.body);
  const answer = await send(url, { method: 'POST', headers, body, signal, keep: !fresh });
  options.onHeaders({ get: name => answer.headers[name] ?? null });
  if (answer.status < 200 || answer.status > 299) throw await readRefusal(answer);
  pipe(answer.body, sink, options);
}

/** Characters that are encoded at once: a long history takes longer than the event loop may be blocked (SAFE-7). */
const ENCODED = 1024 * 1024;

async function encode(text: string): Promise<Buffer> {
  const encoded: Buffer[] = [];
  for (const piece of textPieces(text, ENCODED)) {
    if (encoded.length > 0) await nextTick();
    encoded.push(Buffer.from(piece));
  }
  return encoded.length === 1 ? encoded[0]! : Buffer.concat(encoded);
}

/** Passes the bytes of an answer on as text, in complete lines. */
export function pipe(
  answer: Readable & Pick<Answer['body'], 'complete'>,
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
  const read = () => {
    // The last read, of nothing, ends the answer.
    for (;;) {
      const bytes: Buffer | null = answer.read(answer.readableLength);
      if (bytes === null) return;
      orFail(() => pass(gate.take(bytes)));
    }
  };
  let waits = false;
  // All bytes that arrived together are read at once: a packet can contain hundreds of chunks.
  answer.on('readable', () => {
    onBytes();
    const due = loopTime();
    if (due === undefined) read();
    else if (!waits) {
      waits = true;
      void due.then(() => {
        waits = false;
        read();
      });
    }
  });
  answer.on('end', () =>
    orFail(() => {
      pass(gate.rest());
      sink.end();
    }),
  );
  const fail = (error: unknown) => {
    read();
    sink.fail(error);
  };
  answer.on('error', fail);
  const closed = () => {
    if (!answer.complete) fail(Object.assign(new Error('The connection broke.'), { code: 'ECONNRESET' }));
  };
  if (answer.closed) closed();
  else answer.on('close', closed);
}

/** Reads the beginning of a refusal and ignores the rest. */
async function readRefusal(answer: Answer): Promise<HttpFailure> {
  const body = await readAtMost(answer, MAX_REFUSAL_BYTES);
  return new HttpFailure(answer, body.toString().slice(0, MAX_REFUSAL_BYTES));
}
