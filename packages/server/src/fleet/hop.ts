/** Sends one request to another kernel, and resolves when its response begins. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { http, https } from '../http/node-http.ts';
import { HOP_HEADER, type Signer, signed } from './signature.ts';

/** A vanished machine does not even refuse connections. */
const CONNECT_MS = 1000;
/** Headers of a single connection, and those that only this kernel handles (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
  'origin',
]);
const REUSED = { keepAlive: true };
const agents = { 'http:': new http.Agent(REUSED), 'https:': new https.Agent(REUSED) };

/** The kernel that receives the request. */
export interface Target {
  id: string;
  /** Its address, with or without a path. */
  url: string;
}

export interface Asked {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
}

/** Thrown if the other kernel did not answer. */
export class NoAnswer extends Error {
  /** Whether the kernel may have processed the request anyway. */
  readonly wasSent: boolean;

  constructor(wasSent: boolean, cause?: unknown) {
    super('The other kernel did not respond.', { cause });
    this.wasSent = wasSent;
  }
}

/**
 * Resolves with the response, whose body is still unread.
 * @param signal ends the request
 * @param fresh opens a connection for this request only: a pooled one may have been closed by a living kernel
 * @throws NoAnswer
 */
export async function hop(
  from: Signer,
  to: Target,
  asked: Asked,
  signal: AbortSignal,
  { fresh = false } = {},
): Promise<IncomingMessage> {
  const { method, url, body } = asked;
  const address = buildUrl(to.url, url);
  const path = `${address.pathname}${address.search}`;
  const headers = {
    ...withoutConnection(asked.headers),
    [HOP_HEADER]: await signed(from, to.id, { method, url: path, body }),
    ...(body !== undefined && { 'content-length': body.length }),
  };
  const protocol = address.protocol as keyof typeof agents;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let isConnected = false;
  const request = (protocol === 'https:' ? https : http).request(address, {
    method,
    headers,
    agent: fresh ? false : agents[protocol],
    signal,
  });
  const giveUp = setTimeout(() => request.destroy(), CONNECT_MS);
  const connected = () => {
    isConnected = true;
    clearTimeout(giveUp);
  };
  request.on('socket', socket => {
    if (socket.connecting) socket.once('connect', connected);
    else connected();
  });
  request.on('response', answer => {
    // An answer from any other program does not count.
    if (answer.headers['x-kernel'] === to.id) resolve(answer);
    else {
      answer.destroy();
      reject(new NoAnswer(false));
    }
  });
  request.on('error', error => {
    clearTimeout(giveUp);
    reject(new NoAnswer(isConnected, error));
  });
  request.end(body);
  return promise;
}

/** The headers to forward to the other side. */
export const withoutConnection = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

/** The address of a request below the base address of a kernel. */
function buildUrl(base: string, url: string): URL {
  return new URL(`${base.endsWith('/') ? base.slice(0, -1) : base}${url}`);
}
