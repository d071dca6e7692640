/**
 * Serves MCP requests at the address of the face: identifies the caller, and supports the cancellation of both
 * generations of the protocol.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Chat, KernelClient, PendingCancels, type Problem } from '@chat-kernel/client';
import type { FaceAnswer, FaceOptions, FaceRequest } from '@chat-kernel/http';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { OpenCalls } from '../calls/open-calls.ts';
import { createServer } from './create-server.ts';

export type McpFaceOptions = Omit<FaceOptions<'mcp'>, 'publicUrl'>;

const SESSION = 'mcp-session-id';

/** Creates the server of one request, with all its tools. */
export type ServerOf = typeof createServer;

export class McpFace {
  readonly #address: Pick<McpFaceOptions, 'url' | 'fetch'>;
  readonly #consent: Chat['consent'];
  readonly #serverOf: ServerOf;
  readonly #closing = new AbortController();
  readonly #calls = new OpenCalls();
  readonly #handler: ReturnType<typeof createMcpHandler>;

  /** @param offered the tools for agents; default: the kernel's tools */
  constructor({ url, fetch, interfaces, onFailure }: McpFaceOptions, offered: ServerOf = createServer) {
    this.#address = { url, fetch };
    this.#consent = interfaces.mcp.consent;
    this.#serverOf = offered;
    this.#handler = createMcpHandler(context => this.#serverFor(context), {
      // A call may be silent for minutes; an event stream sends heartbeats until then.
      responseMode: 'sse',
      onerror: error => {
        if (!this.#closing.signal.aborted) onFailure(error);
      },
    });
  }

  /** Rejects on an internal error of the face. */
  async answer({ method, path, headers, body, signal }: FaceRequest): Promise<FaceAnswer> {
    if (path !== '' && path !== '/') return buildRefusal(404, 'Not found. The MCP endpoint is /mcp.');
    if (method === 'POST' && body === undefined) return buildRefusal(400, 'The body is missing.');
    const isLegacy = await isLegacyRequest(toRequest(method, headers, undefined), body);
    if (isLegacy) this.#cancel(headers, body);
    // With a 2025 revision, a dropped connection cancels nothing: the answer is stored in the chat.
    const request = toRequest(method, headers, isLegacy ? undefined : signal);
    const response = await this.#handler.fetch(request, { parsedBody: body });
    const answer = await toAnswer(response);
    if (!isLegacy || !isInitialize(body) || answer.status !== 200) return answer;
    // The session is only a name: it distinguishes call ids of different clients.
    return { ...answer, headers: { ...answer.headers, [SESSION]: crypto.randomUUID() } };
  }

  refusal({ status, code, detail }: Problem): FaceAnswer {
    return buildRefusal(status, detail, code === 'not_json' ? NOT_JSON : undefined);
  }

  close(): void {
    this.#closing.abort();
    void this.#handler.close();
  }

  #serverFor({ era, requestInfo }: McpRequestContext): McpServer {
    const headers = requestInfo?.headers ?? new Headers();
    const kernel = new KernelClient({ ...this.#address, token: tokenIn(headers) });
    const caller = {
      kernel,
      stops: new PendingCancels(kernel),
      consent: this.#consent,
      closing: this.#closing.signal,
    };
    const session = headers.get(SESSION) ?? undefined;
    return this.#serverOf(caller, async (context, run) => {
      if (era === 'modern') return run(context.mcpReq.signal);
      const { id } = context.mcpReq;
      try {
        return await run(this.#calls.begin(session, id));
      } finally {
        this.#calls.end(session, id);
      }
    });
  }

  #cancel({ [SESSION]: session }: IncomingHttpHeaders, body: unknown): void {
    const { method, params } = (body ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
    if (method !== 'notifications/cancelled' || typeof session !== 'string') return;
    const id = params?.requestId;
    if (typeof id === 'string' || typeof id === 'number') this.#calls.cancel(session, id);
  }
}

const isInitialize = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';

/** The token for a proxy before the kernel, in either of the two headers. */
const tokenIn = (headers: Headers): string | undefined =>
  headers.get('x-service-token') ?? /^Bearer (\S{1,1000})$/i.exec(headers.get('authorization') ?? '')?.[1];

/** Headers of the original connection; the body may also have a different length now. */
const OF_A_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/**
 * Converts MCP over HTTP to and from the types of the server that mounts the face.
 * @param signal aborted when the client disconnects; undefined if that has no effect
 */
function toRequest(method: string, headers: IncomingHttpHeaders, signal: AbortSignal | undefined): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !OF_A_CONNECTION.has(name)) sent.set(name, value);
  }
  // The body has already been read, and is passed separately.
  return new Request('http://kernel/mcp', { method, headers: sent, ...(signal && { signal }) });
}

async function toAnswer(response: Response): Promise<FaceAnswer> {
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
const NOT_JSON = -32700;

/** Answers a request that never reached an MCP server. */
const buildRefusal = (status: number, message: string, code = REFUSED): FaceAnswer => ({
  status,
  body: { jsonrpc: '2.0', id: null, error: { code, message } },
});

/** Sends the response headers before the first event. */
async function* begun(pieces: ReadableStream<string>): AsyncGenerator<string, void> {
  yield ':\n\n';
  yield* pieces;
}
