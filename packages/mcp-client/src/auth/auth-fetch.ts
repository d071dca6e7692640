/**
 * Sends the requests of a sign-in. A guest names the addresses itself, and could direct the kernel to addresses that
 * only this machine can reach. Therefore all addresses except the guest's own origin must be https and public, unless
 * the guest itself is on this machine.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { checkHost, isPublicAddress, publicLookup, socketHost } from '@chat-kernel/net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { AUTH_BYTES, AUTH_MS } from '../rules/limits.ts';

/** Thrown if a request of a sign-in was not sent, or has no complete answer. The message contains at most a host. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Returns a fetch for the sign-in to one guest. Does not follow redirects; the library does, within one origin.
 * @param allowPrivate whether private addresses are allowed
 */
export function authFetch(guest: URL, allowPrivate: boolean): FetchLike {
  const anywhere = allowPrivate || isHere(socketHost(guest));
  return async (input, init = {}) => {
    const url = new URL(input);
    const isFree = anywhere || url.origin === guest.origin;
    if (!isFree) refuse(url);
    return send(url, init, isFree ? undefined : publicLookup);
  };
}

/** Checks only the name: its owner, who may be the guest, controls where it resolves to. */
const isHere = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));

/** @throws NoAnswer, NotPublic */
function refuse(url: URL): void {
  if (url.protocol !== 'https:') throw new NoAnswer(`${url.host} must use https for the sign-in`);
  checkHost(socketHost(url));
}

function send(url: URL, init: RequestInit, lookup: LookupFunction | undefined): Promise<Response> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // Only strings and URLSearchParams are sent here.
  const body = init.body == null ? undefined : String(init.body);
  const headers = new Headers(init.headers);
  if (body !== undefined) headers.set('content-length', String(Buffer.byteLength(body)));
  const late = AbortSignal.timeout(AUTH_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(late.aborted ? new NoAnswer(`${url.host} did not respond within ${AUTH_MS / 1000} s`) : error);
    const sending = request(
      url,
      {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        // A pooled connection could lead to another address than the one that is checked now.
        agent: false,
        signal,
        ...(lookup && { lookup }),
      },
      answer => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('error', fail);
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > AUTH_BYTES)
            answer.destroy(new NoAnswer(`${url.host} returned more than ${AUTH_BYTES} bytes`));
        });
        answer.on('end', () => {
          try {
            resolve(toResponse(answer, chunks));
          } catch {
            reject(new NoAnswer(`${url.host} returned an invalid HTTP response`));
          }
        });
      },
    );
    sending.on('error', fail);
    sending.end(body);
  });
}

/** @throws RangeError, TypeError if the answer has an invalid status or header */
function toResponse(
  { statusCode: status = 0, headersDistinct }: IncomingMessage,
  chunks: Buffer[],
): Response {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
