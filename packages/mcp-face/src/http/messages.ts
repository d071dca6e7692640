/** MCP over HTTP in the shapes of the server that mounts the face. */
import type { IncomingHttpHeaders } from 'node:http';

export interface FaceAnswer {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, pieces of text as they come. Undefined: there is nothing to say. */
  body: object | AsyncIterable<string> | undefined;
}

/** What belongs to a connection, which ends here; the body has another length than it came with. */
const OF_A_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/** @param signal aborted when the caller hangs up; undefined: nobody needs to know */
export function requestOf(
  method: string,
  headers: IncomingHttpHeaders,
  signal: AbortSignal | undefined,
): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !OF_A_CONNECTION.has(name)) sent.set(name, value);
  }
  // The body is read by now, and is handed on beside the request.
  return new Request('http://kernel/mcp', { method, headers: sent, ...(signal && { signal }) });
}

export async function answerOf(response: Response): Promise<FaceAnswer> {
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
/** JSON-RPC's code for what is no JSON. */
export const NOT_JSON = -32700;

/** An answer to a request that no server of MCP has seen. */
export const refusalOf = (status: number, message: string, code = REFUSED): FaceAnswer => ({
  status,
  body: { jsonrpc: '2.0', id: null, error: { code, message } },
});

/** A stream that says at once that it is there: nobody waits for its head until the first thing happens. */
async function* begun(pieces: ReadableStream<string>): AsyncGenerator<string, void> {
  yield ':\n\n';
  yield* pieces;
}
