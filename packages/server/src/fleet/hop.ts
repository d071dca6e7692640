/** One request to another kernel, up to the beginning of its answer. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { http, https } from '../http/node-http.ts';
import { HOP_HEADER, type Signer, signed } from './signature.ts';

/** A machine that vanished does not even refuse. */
const CONNECT_MS = 1000;
/** Headers of one connection alone, and those that are this kernel's business (RFC 9110, 7.6.1). */
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
const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** The kernel that is asked. */
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

/** The other kernel gave no answer. */
export class NoAnswer extends Error {
  /** Whether it may have acted on the request all the same. */
  readonly wasSent: boolean;

  constructor(wasSent: boolean, cause?: unknown) {
    super('The other kernel gave no answer.', { cause });
    this.wasSent = wasSent;
  }
}

/**
 * Resolves with the answer, whose body is still to be read.
 * @param signal ends the request
 * @throws NoAnswer
 */
export function hop(from: Signer, to: Target, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, body } = asked;
  const address = addressOf(to.url, url);
  const path = `${address.pathname}${address.search}`;
  const headers = {
    ...withoutConnection(asked.headers),
    [HOP_HEADER]: signed(from, to.id, { method, url: path }),
    ...(body !== undefined && { 'content-length': body.length }),
  };
  const protocol = address.protocol as keyof typeof agents;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let isConnected = false;
  const request = (protocol === 'https:' ? https : http).request(address, {
    method,
    headers,
    agent: agents[protocol],
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
    // Whoever answers in the place of the kernel is none.
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

/** The headers that go on to the other side. */
export const withoutConnection = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

/** A request's path below the address of a kernel. */
function addressOf(base: string, url: string): URL {
  return new URL(`${base.endsWith('/') ? base.slice(0, -1) : base}${url}`);
}
