/** The kernel: chats, turns, feeds, items, history. No HTTP, no SQL, no provider SDK. */
export * from './ports/index.ts';
