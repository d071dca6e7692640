/** The address of the face, who asks there, and how calls are cancelled in either generation of the protocol. */
import type { IncomingHttpHeaders } from 'node:http';
import { KernelClient, type Problem, Stops } from '@chat-kernel/client';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { OpenCalls } from '../calls/open-calls.ts';
import { answerOf, type FaceAnswer, NOT_JSON, refusalOf, requestOf } from './messages.ts';
import { serverOf } from './server-of.ts';

export type { FaceAnswer } from './messages.ts';

/** A request, its body read as JSON. */
export interface FaceRequest {
  method: string;
  /** Below the address of the face; empty for the address itself. */
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
}

export interface FaceOptions {
  /** The address of the kernel. */
  url: string;
  /** Told of what nobody can be answered any more. */
  onFailure(error: unknown): void;
}

const SESSION = 'mcp-session-id';

/** Makes the server of one request, with all that it offers. */
export type ServerOf = typeof serverOf;

export class McpFace {
  readonly #url: string;
  readonly #serverOf: ServerOf;
  readonly #closing = new AbortController();
  readonly #calls = new OpenCalls();
  readonly #handler: ReturnType<typeof createMcpHandler>;

  /** @param offered what agents find here; default: the kernel's tools */
  constructor({ url, onFailure }: FaceOptions, offered: ServerOf = serverOf) {
    this.#url = url;
    this.#serverOf = offered;
    this.#handler = createMcpHandler(context => this.#serverFor(context), {
      // A call may be silent for minutes, and a stream says that it is still there.
      responseMode: 'sse',
      onerror: error => {
        if (!this.#closing.signal.aborted) onFailure(error);
      },
    });
  }

  /** Rejects where the face itself is wrong. */
  async answer({ method, path, headers, body, signal }: FaceRequest): Promise<FaceAnswer> {
    if (path !== '' && path !== '/') return refusalOf(404, 'Nothing is here: the address is /mcp.');
    if (method === 'POST' && body === undefined) return refusalOf(400, 'There is no body.');
    const isLegacy = await isLegacyRequest(requestOf(method, headers, undefined), body);
    if (isLegacy) this.#cancel(headers, body);
    // A line of 2025 that breaks cancels nothing: the answer stands in the chat.
    const request = requestOf(method, headers, isLegacy ? undefined : signal);
    const response = await this.#handler.fetch(request, { parsedBody: body });
    const answer = await answerOf(response);
    if (!isLegacy || !isInitialize(body) || answer.status !== 200) return answer;
    // The session has a name and nothing else: it tells apart the ids that clients give to their calls.
    return { ...answer, headers: { ...answer.headers, [SESSION]: crypto.randomUUID() } };
  }

  refusal({ status, code, detail }: Problem): FaceAnswer {
    return refusalOf(status, detail, code === 'not_json' ? NOT_JSON : undefined);
  }

  close(): void {
    this.#closing.abort();
    void this.#handler.close();
  }

  #serverFor({ era, requestInfo }: McpRequestContext): McpServer {
    const headers = requestInfo?.headers ?? new Headers();
    const kernel = new KernelClient({ url: this.#url, token: tokenIn(headers) });
    const caller = { kernel, stops: new Stops(kernel), closing: this.#closing.signal };
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

/** The token of a proxy before the kernel, in either header that it may come in. */
const tokenIn = (headers: Headers): string | undefined =>
  headers.get('x-service-token') ?? /^Bearer (\S{1,1000})$/i.exec(headers.get('authorization') ?? '')?.[1];
