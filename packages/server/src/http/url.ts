/** Builds addresses of kernels. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns `http://<host>:<port>`, with an IPv6 host in brackets. */
export const formatUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The address at which a listening kernel reaches itself. */
export function ownUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return formatUrl(['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address, port);
}

/** Path of the redirect route; it is registered with authorization servers. */
export const CALLBACK_PATH = '/v1/guests/callback';

/**
 * @param publicUrl null if clients reach the kernel at the address on which it listens
 * @param url of the kernel, on which it listens
 */
export function callbackUrl(publicUrl: string | null, url: string): string {
  const address = new URL(publicUrl ?? url);
  // A browser cannot open "all addresses of the machine".
  if (address.hostname === '0.0.0.0' || address.hostname === '[::]') address.hostname = '127.0.0.1';
  const { origin, pathname } = address;
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${CALLBACK_PATH}`;
}
