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
