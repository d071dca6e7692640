/** Defines imports: conversations from other programs become chats (FACE-3). */
import { defineFeature } from '../feature.ts';
import { Imports } from './imports.ts';
import { routes } from './routes.ts';
import { ImportStore } from './store.ts';

export const imports = defineFeature({
  name: 'imports',
  stores: ({ transactions, bulkChats }) => ({ imports: new ImportStore(transactions, bulkChats) }),
  open: ({ store: { chats, messages, spend }, clock, ...host }, { imports }) => ({
    name: 'imports',
    service: new Imports({ imports, chats, messages, spend }, clock, host),
  }),
  routes,
  documentedAfter: 'exportChat',
});
