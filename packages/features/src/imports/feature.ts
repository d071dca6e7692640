/** Defines imports: conversations from other programs become chats (FACE-3). */
import { chatsTag, Switch } from '@chat-kernel/http';
import { ImportChat, ImportedChat } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineFeature, featureRoutes } from '../feature.ts';
import { Imports } from './imports.ts';
import { ImportStore } from './store.ts';

const defineRoute = featureRoutes<Imports>(chatsTag);

/** Imports conversations from other programs, one per request. */
const routes = [
  defineRoute('POST /v1/import', {
    operationId: 'importChat',
    summary: 'Import a conversation',
    description:
      'Creates a chat with the original dates, and a fork for each branch, atomically. A conversation with the same ' +
      'source and key is not imported again while its chat exists.',
    request: {
      query: z.object({ dry_run: Switch.describe('Write nothing and return what would be imported.') }),
      body: ImportChat,
    },
    // Some ten for each message.
    maxValues: 1_000_000,
    responses: { 200: ImportedChat },
    errors: ['invalid_value'],
    handler: ({ service, query, body }) => service.add(body, { dryRun: query.dry_run }),
  }),
];

export const imports = defineFeature({
  name: 'imports',
  stores: ({ transactions, bulkChats }) => ({ imports: new ImportStore(transactions, bulkChats) }),
  open: ({ store: { chats, messages, spend }, clock, ...host }, { imports }) => ({
    service: new Imports({ imports, chats, messages, spend }, clock, host),
  }),
  routes,
  documentedAfter: 'exportChat',
});
