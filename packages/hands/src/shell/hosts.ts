/** Decides which hosts commands in the sandbox may reach: those of the setting, and only at public addresses. */
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { type Internet, isForeignAddress } from '@chat-kernel/net';
import { cutText } from '@chat-kernel/text';

/** Names such as `example.org`, and `*.example.org` for all below it. */
export type HostList = readonly string[];

/** A host that must not be reached. The message says which one and why. */
export class HostRefused extends Error {}

/** @param host a name or an address as in a URL; a name may be in capitals and end with a dot */
export function isListed(host: string, list: HostList): boolean {
  const name = plain(host);
  return list.some(each => {
    const wanted = each.toLowerCase();
    return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
}

/**
 * Resolves a host once. A second lookup of the name could return other addresses, so the caller connects to these.
 * @throws HostRefused, or the error of the resolver
 */
export async function resolveAddresses(
  host: string,
  network: 'on' | HostList,
  internet: Internet,
): Promise<LookupAddress[]> {
  if (network !== 'on' && !isListed(host, network)) {
    throw new HostRefused(
      `${shown(host)} is not among the hosts that the setting tools.shell.network lists.`,
    );
  }
  const name = plain(host);
  const family = isIP(name);
  const found = family === 0 ? await internet.resolve(name) : [{ address: name, family }];
  const wrong = found.find(({ address }) => !isForeignAddress(address));
  if (wrong !== undefined) {
    const which = family === 0 ? `${shown(host)} (${wrong.address})` : host;
    throw new HostRefused(
      `${which} is this machine or in a private network: commands in the sandbox never reach these, whatever the setting tools.shell.network says.`,
    );
  }
  return family === 0 ? found.map(internet.dial) : found;
}

/** The maximum length of a host name. */
const MAX_NAME = 253;
/** Shortens a host for messages: a command may request a name of any length. */
export const shown = (host: string): string => cutText(host, MAX_NAME);

/** Removes the brackets of IPv6 and the final dot of a full name. */
export const plain = (host: string): string =>
  (host.startsWith('[') ? host.slice(1, -1) : host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
