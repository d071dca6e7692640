/**
 * Where a subscription may lead (PUSH-4): the kernel calls whatever address it is given, so it must not be one that only
 * the kernel can reach. It is looked at twice, when it comes and at each connection, with the very address that is
 * connected to: a name may lead elsewhere by then.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, KernelError } from '@chat-kernel/protocol';

/** A connection that was refused by the rule above. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(
      `${host} leads to this machine or a private network: push.allow_private: true in the settings allows that`,
    );
    this.name = 'NotPublic';
  }
}

/** @throws KernelError invalid_value */
export async function checkEndpoint(endpoint: string, allowPrivate: boolean): Promise<void> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined) throw wrongEndpoint('It is no address.');
  if (url.username + url.password !== '') throw wrongEndpoint('It has a login in it, which is never sent.');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw wrongEndpoint(
      url.protocol === 'http:'
        ? 'It has to be https; push.allow_private: true in the settings allows http.'
        : `It has to be https, and is ${url.protocol}`,
    );
  }
  if (allowPrivate) return;
  try {
    checkHost(hostOf(url));
    await new Promise<void>((resolve, reject) => {
      publicLookup(hostOf(url), { all: true }, error => {
        // A name that leads nowhere now is looked at when something is sent.
        if (error instanceof NotPublic) reject(error);
        else resolve();
      });
    });
  } catch (error) {
    if (!(error instanceof NotPublic)) throw error;
    throw wrongEndpoint(`${error.message}.`);
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

export function wrongEndpoint(detail: string, pointer = '/endpoint'): KernelError {
  return new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
}
