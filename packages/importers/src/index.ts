/** Exports of other programs, and our own, as conversations that the kernel takes. */
export { type Incoming, type LeftOut, NothingToImport } from './base/incoming.ts';
export { conversationsIn } from './conversations.ts';
