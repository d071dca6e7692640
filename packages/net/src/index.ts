/** Outgoing connections of the kernel: allowed addresses. */
export { checkHost, isForeignAddress, NotPublic, publicLookup, socketHost } from './public-only.ts';
