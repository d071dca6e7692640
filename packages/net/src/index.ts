/** Outgoing connections of the kernel: allowed addresses. */
export { isPublicAddress } from './public-address.ts';
export { checkHost, isForeignAddress, NotPublic, publicLookup, socketHost } from './public-only.ts';
