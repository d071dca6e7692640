/** Addresses of kernels. */

/** Returns `http://<host>:<port>`, with an IPv6 host in brackets. */
export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
