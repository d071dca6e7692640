/**
 * Restricts addresses that others supply to public ones: otherwise they could reach what only the kernel can. The check
 * uses the very address that is connected to, because a second lookup of the name may return another one.
 */
import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './public-address.ts';

/** A connection that the kernel refuses because the address is not public. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} leads to this machine or a private network`);
    this.name = 'NotPublic';
  }
}

/**
 * Whether an address is public and not one of this machine: its own public addresses also lead to the kernel, if it
 * listens on all of them.
 * @param interfaces of this machine
 */
export function isForeignAddress(address: string, interfaces = networkInterfaces()): boolean {
  const own = Object.values(interfaces).flatMap(cards => cards ?? []);
  return isPublicAddress(address) && !own.some(card => card.address === address);
}

/** The host as sockets take it: IPv6 without brackets. */
export const socketHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Like the lookup of sockets; fails if any of the addresses is not public. */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    const refused =
      error ?? (found.every(({ address }) => isForeignAddress(address)) ? null : new NotPublic(host));
    if (refused !== null || first === undefined) callback(refused ?? new NotPublic(host), []);
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

/** Checks a host before it is used. One that does not resolve now passes. @throws NotPublic */
export async function requirePublic(host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  publicLookup(host, { all: true }, error => (error instanceof NotPublic ? reject(error) : resolve()));
  return promise;
}
