/**
 * Addresses that somebody else has named: the kernel must not go where only the kernel can. A name is looked at with the
 * very address that is connected to, for it may lead elsewhere by then.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@chat-kernel/protocol';

/** A connection that was refused by the rule above. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} leads to this machine or a private network`);
    this.name = 'NotPublic';
  }
}

/** An address in digits is never looked up. @throws NotPublic */
export function checkHost(host: string): void {
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new NotPublic(host);
}

/** The host as sockets take it: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Like the lookup of sockets; fails where any of the addresses is not public. */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    const refused =
      error ?? (found.every(({ address }) => isPublicAddress(address)) ? null : new NotPublic(host));
    if (refused !== null || first === undefined) callback(refused ?? new NotPublic(host), []);
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};
