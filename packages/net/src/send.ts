/** Sends the HTTP requests of the kernel with Node's client. No timeouts: those belong to the senders. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isForeignAddress, NotPublic, publicLookup, socketHost } from './public-only.ts';

// An import would access all exports, and so load Node's fetch. That takes 16 MB of memory and a tenth of the start
// time, and most kernels never need it.
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

interface Outgoing {
  /** Default: GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** Uses the connection of an earlier request if there is one, and keeps it for later ones. */
  keep?: boolean;
  /** Rejects with NotPublic if the host, or any address to which it resolves, is not public. */
  publicOnly?: boolean;
}

export interface Answer {
  status: number;
  statusText: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Must be read to its end or destroyed. */
  body: IncomingMessage;
}

/**
 * The server closed a reused connection after a request was sent on it. The server may have received the request, so
 * sending it again is a retry like any other.
 */
export class KeptConnectionClosed extends Error {
  readonly code = 'ECONNRESET';
}

const KEPT = { keepAlive: true, maxFreeSockets: 256, timeout: 0 };
const plain = { request: http.request, agent: new http.Agent(KEPT) };
const secure = { request: https.request, agent: new https.Agent(KEPT) };

/**
 * Resolves when the response begins. Follows no redirects.
 * @throws NotPublic, KeptConnectionClosed, or the error of the connection
 */
export async function send(
  address: string | URL,
  { headers, body, keep = false, publicOnly = false, ...options }: Outgoing,
): Promise<Answer> {
  const url = new URL(address);
  const host = socketHost(url);
  // Digits are never looked up.
  if (publicOnly && isIP(host) !== 0 && !isForeignAddress(host)) throw new NotPublic(host);
  const { request, agent } = url.protocol === 'https:' ? secure : plain;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sending = request(url, {
    ...options,
    headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    // A kept connection could lead to another address than the one that is checked now.
    agent: keep && !publicOnly && agent,
    ...(publicOnly && { lookup: publicLookup }),
  });
  sending.on('response', resolve);
  sending.on('error', (error: NodeJS.ErrnoException) => {
    const wasKept = sending.reusedSocket && error.code === 'ECONNRESET';
    reject(wasKept ? new KeptConnectionClosed(error.message, { cause: error }) : error);
  });
  sending.end(body);
  const answer = await promise;
  // The failure of an unread response must not end the process.
  answer.on('error', () => {});
  const { statusCode = 0, statusMessage = '' } = answer;
  return { status: statusCode, statusText: statusMessage, headers: joined(answer.headers), body: answer };
}

/** Reads a response. Ends its connection if it is longer than `most` bytes: then the result has one byte more. */
export async function readAtMost({ body }: Answer, most: number): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    pieces.push(piece);
    if (size > most) break;
  }
  return Buffer.concat(pieces).subarray(0, most + 1);
}

const joined = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
