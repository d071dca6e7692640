/**
 * Serves MCP requests at the address of the face: identifies the caller, and supports the cancellation of both
 * generations of the protocol.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Chat, KernelClient, PendingCancels, type Problem } from '@chat-kernel/client';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { OpenCalls } from '../calls/open-calls.ts';
import { createServer } from './create-server.ts';
import { buildRefusal, type FaceAnswer, NOT_JSON, toAnswer, toRequest } from './messages.ts';

export type { FaceAnswer } from './messages.ts';

/** A request with its body parsed as JSON. */
export interface FaceRequest {
  method: string;
  /** The path below the address of the face; empty for the address itself. */
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

export interface FaceOptions {
  /** The address of the kernel. */
  url: string;
  /** Sends a request there. */
  fetch: typeof fetch;
  interfaces: { mcp: { consent: Chat['consent'] } };
  /** Receives errors that can no longer be returned to a client. */
  onFailure(error: unknown): void;
}

const SESSION = 'mcp-session-id';

/** Creates the server of one request, with all its tools. */
export type ServerOf = typeof createServer;

export class McpFace {
  readonly #address: Pick<FaceOptions, 'url' | 'fetch'>;
  readonly #consent: Chat['consent'];
  readonly #serverOf: ServerOf;
  readonly #closing = new AbortController();
  readonly #calls = new OpenCalls();
  readonly #handler: ReturnType<typeof createMcpHandler>;

  /** @param offered the tools for agents; default: the kernel's tools */
  constructor({ url, fetch, interfaces, onFailure }: FaceOptions, offered: ServerOf = createServer) {
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
