/**
 * Checks where a request may go: pages and models choose URLs, and none may reach what only this machine can reach. A
 * name is resolved once, and the request goes to exactly the addresses that were checked, because the name may later
 * resolve differently.
 */
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { ToolError } from '@chat-kernel/module-sdk';
import { type Internet, isForeignAddress } from '@chat-kernel/net';

/** @throws ToolError if it is not a readable URL */
export function readAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null)
    throw new ToolError(`${text} is not a URL. Give the full URL, such as https://example.org/page.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ToolError(`${text} is not a web URL. It must start with https:// or http://.`);
  }
  if (url.username + url.password !== '') {
    throw new ToolError(
      `The URL contains credentials (user:password@), which this tool never sends. Remove them.`,
    );
  }
  return url;
}

/**
 * Returns the addresses to connect to. If any of them is not public, or is one of this machine, all are rejected.
 * @param allow hosts that may have any address, in URL form
 * @throws ToolError
 */
export async function resolveDestination(
  url: URL,
  allow: readonly string[],
  internet: Internet,
): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const found = family === 0 ? await resolved(host, internet) : [{ address: host, family }];
  if (allow.some(each => each.toLowerCase() === url.host)) return found;
  const wrong = found.find(({ address }) => !isForeignAddress(address));
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
        ? `The host ${host} does not exist.`
        : `The host name ${host} could not be resolved (${code}).`,
      { cause: error },
    );
  }
}

function refusal({ host, hostname }: URL, address: string): string {
  const leads = hostname.includes(address) ? host : `${host} (${address})`;
  return (
    `${leads} is this machine or on a private network, which this tool does not access. ` +
    `The owner can allow it with allow: ['${host}'] in the settings of the web module.`
  );
}
