/**
 * The header by which a kernel shows another one that it is a kernel of the same database. It names both and is bound
 * to the request, so that an address that leads to somebody else gives nothing away.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const HOP_HEADER = 'x-kernel-hop';

/** A kernel, and what all of its database know. */
export interface Signer {
  readonly id: string;
  readonly secret: string;
}

type Asked = Pick<IncomingMessage, 'method' | 'url'>;

/** The header of a request to another kernel, `{from}.{to}.{signature}`. */
export const signed = ({ id, secret }: Signer, to: string, asked: Asked): string =>
  `${id}.${to}.${signatureOf(secret, id, to, asked)}`;

/** Whether a request comes from another kernel and is meant for this one. */
export const isSigned = (to: Signer, request: IncomingMessage): boolean =>
  callerOf(to, request) !== undefined;

/** The id of the kernel that asks this one; undefined: no other kernel asks, or another one is meant. */
export function callerOf({ id, secret }: Signer, request: IncomingMessage): string | undefined {
  const [from = '', to = '', signature = '', ...rest] = headerOf(request).split('.');
  if (to !== id || rest.length > 0) return undefined;
  const [given, wanted] = [signature, signatureOf(secret, from, to, request)].map(text => Buffer.from(text));
  return given!.length === wanted!.length && timingSafeEqual(given!, wanted!) ? from : undefined;
}

/** Whether a request says that it comes from another kernel, true or not. */
export const isHop = (request: Pick<IncomingMessage, 'headers'>): boolean => headerOf(request) !== '';

const headerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => String(headers[HOP_HEADER] ?? '');

const signatureOf = (secret: string, from: string, to: string, { method, url }: Asked): string =>
  createHmac('sha256', secret).update([from, to, method, url].join('\n')).digest('base64url');
