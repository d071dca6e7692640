/** The port of the store, a file for each noun. */
export * from './approvals.ts';
export * from './books.ts';
export * from './chats.ts';
export * from './files.ts';
export * from './images.ts';
export * from './messages.ts';
export * from './modules.ts';
export * from './persons.ts';
export * from './search.ts';
export * from './sleep.ts';
export * from './spend.ts';
export * from './store.ts';
export * from './stored-message.ts';
export * from './subscriptions.ts';
export * from './triage.ts';
export * from './turns.ts';
export * from './videos.ts';
