/**
 * Sends the requests of a sign-in. A guest names the addresses itself, and could direct the kernel to addresses that
 * only this machine can reach. Therefore all addresses except the guest's own origin must be https and public, unless
 * the guest itself is on this machine.
 */
import { isIP } from 'node:net';
import { type Answer, isPublicAddress, readAtMost, send, socketHost, toResponse } from '@chat-kernel/net';
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
    const publicOnly = !anywhere && url.origin !== guest.origin;
    if (publicOnly && url.protocol !== 'https:')
      throw new NoAnswer(`${url.host} must use https for the sign-in`);
    return ask(url, init, publicOnly);
  };
}

/** Checks only the name: its owner, who may be the guest, controls where it resolves to. */
const isHere = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));

/** @throws NoAnswer, NotPublic, or the error of the connection */
async function ask(url: URL, init: RequestInit, publicOnly: boolean): Promise<Response> {
  const late = AbortSignal.timeout(AUTH_MS);
  try {
    const answer = await send(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      // Only strings and URLSearchParams are sent here.
      ...(init.body != null && { body: String(init.body) }),
      signal: init.signal ? AbortSignal.any([init.signal, late]) : late,
      publicOnly,
    });
    const bytes = await readAtMost(answer, AUTH_BYTES);
    if (bytes.length > AUTH_BYTES) throw new NoAnswer(`${url.host} returned more than ${AUTH_BYTES} bytes`);
    return respond(url, answer, bytes);
  } catch (error) {
    throw late.aborted ? new NoAnswer(`${url.host} did not respond within ${AUTH_MS / 1000} s`) : error;
  }
}

function respond({ host }: URL, answer: Answer, bytes: Buffer<ArrayBuffer>): Response {
  try {
    return toResponse(answer, bytes);
  } catch {
    throw new NoAnswer(`${host} returned an invalid HTTP response`);
  }
}
