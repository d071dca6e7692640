/**
 * Provides a fetch that reaches the server of this process without a socket. Node's HTTP client and server communicate
 * over a pair of streams, so streaming, back-pressure and disconnects work as on any connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { http } from '../http/node-http.ts';

/** Statuses of responses without a body. */
const EMPTY: readonly number[] = [204, 205, 304];

/** @returns a fetch that accepts an address, but no Request, and follows no redirect */
export function inProcessFetch(server: Server): typeof fetch {
  const createConnection = () => {
    const [client, serverSide] = duplexPair();
    // A pair does not close its other side, except after an error.
    client.once('close', () => serverSide.destroy());
    server.emit('connection', serverSide);
    return client as Socket;
  };
  return (input, { method = 'GET', headers, body, signal } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sent = { method, headers: Object.fromEntries(new Headers(headers)), ...(signal && { signal }) };
    const request = http.request(input as URL, { createConnection, ...sent });
    request.on('error', reject);
    request.on('response', incoming => resolve(toResponse(incoming)));
    if (body === undefined || body === null) request.end();
    else if (typeof body === 'string' || body instanceof Uint8Array) request.end(body);
    else pipeline(Readable.fromWeb(new Response(body).body as never), request).catch(reject);
    return promise;
  };
}

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 500, statusMessage: statusText = '', headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const isEmpty = EMPTY.includes(status);
  if (isEmpty) incoming.resume();
  const body = isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Response(body, { status, statusText, headers });
}
