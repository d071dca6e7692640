/** The hosts that commands in the sandbox may reach: those of the setting, and none of them at an address that is not public. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { cutText, isPublicAddress } from '@chat-kernel/protocol';

/** Names such as `example.org`, and `*.example.org` for all below it. */
export type HostList = readonly string[];

/** How names become connections. Tests, whose hosts are all on this machine, bring their own. */
export interface Internet {
  resolve(host: string): Promise<LookupAddress[]>;
  /** Where to connect for an address that may be connected to. */
  dial(address: LookupAddress): LookupAddress;
}

export const INTERNET: Internet = {
  resolve: host => lookup(host, { all: true }),
  dial: address => address,
};

/** A host that is not to be reached; the message says which, and why. */
export class HostRefused extends Error {}

/** @param host a name or an address as it stands in a URL; a name may be written in capitals, and end with a dot */
export function isListed(host: string, list: HostList): boolean {
  const name = plain(host);
  return list.some(each => {
    const wanted = each.toLowerCase();
    return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
}

/**
 * Finds the addresses to connect to, once and for all: whoever asks again for the name could be told others.
 * @throws HostRefused, or the error of the resolver
 */
export async function addressesOf(
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
  // The machine's own public addresses lead to the kernel as well, should it listen on all of them.
  const own = Object.values(networkInterfaces()).flatMap(cards => cards ?? []);
  const wrong = found.find(
    ({ address }) => !isPublicAddress(address) || own.some(card => card.address === address),
  );
  if (wrong !== undefined) {
    const which = family === 0 ? `${shown(host)} (${wrong.address})` : host;
    throw new HostRefused(
      `${which} is this machine or in a private network: commands in the sandbox never reach these, whatever the setting tools.shell.network says.`,
    );
  }
  return family === 0 ? found.map(internet.dial) : found;
}

/** The longest name there can be. */
const MAX_NAME = 253;
/** As sentences have it: a command may ask for a name of any length. */
export const shown = (host: string): string => cutText(host, MAX_NAME);

/** Without the brackets of IPv6, and the dot behind a whole name. */
const plain = (host: string): string =>
  (host.startsWith('[') ? host.slice(1, -1) : host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
