/** Outgoing connections of the kernel: allowed addresses, and pauses between attempts. */
export { Backoff } from './backoff.ts';
export { isPublicAddress } from './public-address.ts';
export { checkHost, isForeignAddress, NotPublic, publicLookup, socketHost } from './public-only.ts';
