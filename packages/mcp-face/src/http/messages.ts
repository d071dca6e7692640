/** Converts MCP over HTTP to and from the types of the server that mounts the face. */
import type { IncomingHttpHeaders } from 'node:http';

export interface FaceAnswer {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON; pieces of text are streamed. Undefined: the answer has no body. */
  body: object | AsyncIterable<string> | undefined;
}

/** Headers of the original connection; the body may also have a different length now. */
const OF_A_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/** @param signal aborted when the client disconnects; undefined if that has no effect */
export function toRequest(
  method: string,
  headers: IncomingHttpHeaders,
  signal: AbortSignal | undefined,
): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !OF_A_CONNECTION.has(name)) sent.set(name, value);
  }
  // The body has already been read, and is passed separately.
  return new Request('http://kernel/mcp', { method, headers: sent, ...(signal && { signal }) });
}

export async function toAnswer(response: Response): Promise<FaceAnswer> {
  const { status, body } = response;
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OF_A_CONNECTION.has(name)));
  if (body !== null && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return { status, headers, body: begun(body.pipeThrough(new TextDecoderStream())) };
  }
  const text = await response.text();
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** A code that JSON-RPC leaves to implementations. */
const REFUSED = -32000;
/** JSON-RPC's code for invalid JSON. */
export const NOT_JSON = -32700;

/** Answers a request that never reached an MCP server. */
export const buildRefusal = (status: number, message: string, code = REFUSED): FaceAnswer => ({
  status,
  body: { jsonrpc: '2.0', id: null, error: { code, message } },
});

/** Sends the response headers before the first event. */
async function* begun(pieces: ReadableStream<string>): AsyncGenerator<string, void> {
  yield ':\n\n';
  yield* pieces;
}
