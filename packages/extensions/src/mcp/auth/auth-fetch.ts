/**
 * Requests of a sign-in. A guest names the addresses itself, and so could send the kernel to what only this machine can
 * reach. So besides the guest's own origin they are https and public, unless the guest itself is on this machine.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@chat-kernel/protocol';
import type { FetchLike } from '@modelcontextprotocol/client';
import { checkHost, hostOf, publicLookup } from '../../addresses/public-only.ts';
import { AUTH_BYTES, AUTH_MS } from '../rules/limits.ts';

/** A request of a sign-in that was not made, or has no whole answer. The message names no more than a host. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Returns a fetch for the sign-in to one guest. Redirects are not followed: the library does, within one origin.
 * @param allowPrivate addresses may be any
 */
export function authFetch(guest: URL, allowPrivate: boolean): FetchLike {
  const anywhere = allowPrivate || isHere(hostOf(guest));
  return async (input, init = {}) => {
    const url = new URL(input);
    const isFree = anywhere || url.origin === guest.origin;
    if (!isFree) refuse(url);
    return send(url, init, isFree ? undefined : publicLookup);
  };
}

/** By the name alone: what a name leads to is for its owner to say, who may be the guest. */
const isHere = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));

/** @throws NoAnswer, NotPublic */
function refuse(url: URL): void {
  if (url.protocol !== 'https:') throw new NoAnswer(`${url.host} is named for the sign-in without https`);
  checkHost(hostOf(url));
}

function send(url: URL, init: RequestInit, lookup: LookupFunction | undefined): Promise<Response> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // Strings and URLSearchParams alone are sent here.
  const body = init.body == null ? undefined : String(init.body);
  const headers = new Headers(init.headers);
  if (body !== undefined) headers.set('content-length', String(Buffer.byteLength(body)));
  const late = AbortSignal.timeout(AUTH_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(late.aborted ? new NoAnswer(`${url.host} gave no answer within ${AUTH_MS / 1000} s`) : error);
    const sending = request(
      url,
      {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        // A connection that is kept could be one to another address than the one that is looked at now.
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
            answer.destroy(new NoAnswer(`${url.host} answers with more than ${AUTH_BYTES} bytes`));
        });
        answer.on('end', () => {
          try {
            resolve(responseOf(answer, chunks));
          } catch {
            reject(new NoAnswer(`${url.host} answers with what is no HTTP`));
          }
        });
      },
    );
    sending.on('error', fail);
    sending.end(body);
  });
}

/** @throws RangeError, TypeError where the answer has a status or a header that there cannot be */
function responseOf(
  { statusCode: status = 0, headersDistinct }: IncomingMessage,
  chunks: Buffer[],
): Response {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
