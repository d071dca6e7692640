/** Outgoing connections of the kernel: HTTP requests, and allowed addresses. */
export { sendFetch, toResponse } from './fetch.ts';
export { INTERNET, type Internet } from './internet.ts';
export { isPublicAddress } from './public-address.ts';
export { isForeignAddress, NotPublic, requirePublic, socketHost } from './public-only.ts';
export { type Answer, KeptConnectionClosed, readAtMost, send } from './send.ts';
