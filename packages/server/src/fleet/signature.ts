/**
 * Signs requests between kernels of the same database with a header. It names both kernels and covers the method, the
 * address, the body, the time and a number, so that an address that leads to another program reveals nothing, and
 * nothing that was seen on the way can be changed or sent again (docs/decisions/0089).
 */
import { createHash, createHmac, hash as digestOf, type Hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { signsOnlyAddress } from '@chat-kernel/kernel';

export const HOP_HEADER = 'x-kernel-hop';
/** Bytes of a body that are hashed at once. */
const PIECE = 1024 * 1024;

/** A kernel, and the secret that all kernels of its database share. */
export interface Signer {
  readonly id: string;
  readonly secret: string;
  /** The time by the clock of the database. */
  now(): number;
}

interface Asked {
  method: string;
  /** Path and query. */
  url: string;
  body: Buffer | undefined;
}

/** The fields of the header, in its order. */
export interface Signature {
  from: string;
  to: string;
  /** Milliseconds since 1970. */
  time: string;
  /** Each request of a process has a higher number than the one before. */
  number: string;
  /** Of the body; empty if there is none. */
  hash: string;
  mac: string;
}
/** The header of a kernel that signs only method and address. */
export type OldSignature = Pick<Signature, 'from' | 'to' | 'mac'>;

let sent = 0;

/** The header of a request to another kernel, in the format that it understands. */
export async function signed(signer: Signer, to: string, { method, url, body }: Asked): Promise<string> {
  const { id: from, secret } = signer;
  if (signsOnlyAddress(to)) return `${from}.${to}.${computeMac(secret, [from, to, method, url])}`;
  const hash = body === undefined ? '' : await hashOf(body);
  const fields = [from, to, String(Math.round(signer.now())), String(++sent), hash];
  return [...fields, computeMac(secret, [...fields, method, url])].join('.');
}

/** Whether a request claims to come from another kernel. */
export const isHop = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => Boolean(headers[HOP_HEADER]);

/** The signature of a request if one of the kernels of the database made it. */
export function verified(
  secret: string,
  request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
): Signature | OldSignature | undefined {
  const fields = String(request.headers[HOP_HEADER]).split('.');
  const mac = fields.pop() as string;
  const { method = '', url = '' } = request;
  if (!isEqual(mac, computeMac(secret, [...fields, method, url]))) return undefined;
  const [from = '', to = '', time, number, hash] = fields;
  if (fields.length === 2) return { from, to, mac };
  if (time === undefined || number === undefined || hash === undefined) return undefined;
  return { from, to, time, number, hash, mac };
}

/** The hash of a body in a signature. */
export const newBodyHash = (): Hash => createHash('sha256');
export const endOf = (hash: Hash): string => hash.digest('base64url');

/** A body of 64 MiB takes 50 ms and more. */
async function hashOf(body: Buffer): Promise<string> {
  if (body.length <= PIECE) return digestOf('sha256', body, 'base64url');
  const hash = newBodyHash();
  for (let at = 0; at < body.length; at += PIECE) {
    if (at > 0) await nextTick();
    hash.update(body.subarray(at, at + PIECE));
  }
  return endOf(hash);
}

const computeMac = (secret: string, fields: readonly string[]): string =>
  createHmac('sha256', secret).update(fields.join('\n')).digest('base64url');

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
