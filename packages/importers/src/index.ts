/** Converts exports of other programs and of Chat Kernel to conversations for the kernel. */
export { type Incoming, type LeftOut, NothingToImport } from './base/incoming.ts';
export { conversationsIn } from './conversations.ts';
