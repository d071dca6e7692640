/**
 * Where a request may go: pages and models choose addresses, and none may lead to what only this machine can reach. A
 * name is resolved once, and the request goes to the very addresses that were judged: the name may lead elsewhere by then.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ToolError } from '@chat-kernel/module-sdk';
import { isPublicAddress } from '@chat-kernel/protocol';

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

/** @throws ToolError where it is no address that can be read */
export function readAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null)
    throw new ToolError(`${text} is no address: write it whole, such as https://example.org/page.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ToolError(`${text} is no address of the web: it has to begin with https:// or http://.`);
  }
  if (url.username + url.password !== '') {
    throw new ToolError(`The address has a login in it (user:password@), which is never sent.`);
  }
  return url;
}

/**
 * Returns the addresses to connect to; each that is not public, or is one of this machine, refuses all.
 * @param allow hosts that may be anywhere, as URLs have them
 * @throws ToolError
 */
export async function destinationOf(
  url: URL,
  allow: readonly string[],
  internet: Internet,
): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const found = family === 0 ? await resolved(host, internet) : [{ address: host, family }];
  if (allow.some(each => each.toLowerCase() === url.host)) return found;
  // The machine's own public addresses lead to the kernel as well, should it listen on all of them.
  const own = Object.values(networkInterfaces()).flatMap(cards => cards ?? []);
  const wrong = found.find(
    ({ address }) => !isPublicAddress(address) || own.some(card => card.address === address),
  );
  if (wrong !== undefined) throw new ToolError(refusal(url, wrong.address));
  return found.map(internet.dial);
}

async function resolved(host: string, internet: Internet): Promise<LookupAddress[]> {
  try {
    return await internet.resolve(host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ToolError(
      code === 'ENOTFOUND'
        ? `There is no host ${host}.`
        : `The name ${host} could not be resolved (${code}).`,
      { cause: error },
    );
  }
}

function refusal({ host, hostname }: URL, address: string): string {
  const leads = hostname.includes(address) ? host : `${host} (${address})`;
  return (
    `${leads} is this machine or in a private network, which this tool does not reach. ` +
    `The owner can allow it: allow: ['${host}'] in the settings of the module web.`
  );
}
