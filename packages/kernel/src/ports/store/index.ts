/** Exports the ports of the store. */
export * from './approvals.ts';
export * from './chats.ts';
export * from './files.ts';
export * from './fleet.ts';
export * from './messages.ts';
export * from './modules.ts';
export * from './persons.ts';
export * from './spend.ts';
export * from './store.ts';
export * from './stored-message.ts';
export * from './turns.ts';
export * from './versions.ts';
