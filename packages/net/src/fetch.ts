/** Provides `send` as a fetch, for packages. */
import { Readable } from 'node:stream';
import { type Answer, send } from './send.ts';

/**
 * Follows no redirects, which could send a key and a conversation to another host, or to this machine. Unlike Node's
 * fetch, it has no timeouts, and asks for no compression.
 */
export const sendFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const answer = await send(request.url, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(request.body && { body: await request.bytes() }),
    // That of the request is forgotten with it.
    signal: init?.signal ?? request.signal,
    keep: true,
  });
  return toResponse(answer, Readable.toWeb(answer.body) as ReadableStream<Uint8Array>);
};

/** @throws RangeError, TypeError if the answer has an invalid status or header */
export function toResponse({ status, statusText, headers }: Answer, body: BodyInit): Response {
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : body, { status, statusText, headers });
}
