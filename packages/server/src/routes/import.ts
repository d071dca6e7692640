/** Imports: conversations that were held elsewhere, one a request. */
import { ImportChat, ImportedChat } from '@chat-kernel/protocol';
import { z } from 'zod';
import { Switch } from '../http/parameters.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './chats.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/import',
    operationId: 'importChat',
    summary: 'Import a conversation that was held elsewhere',
    description:
      'It becomes a chat with its dates, and each of its branches a fork: all of it, or nothing. What was imported once, ' +
      'by its source and key, is not imported again while its chat is there.',
    tag,
    request: {
      query: z.object({ dry_run: Switch.describe('Write nothing, and say what would come of it.') }),
      body: ImportChat,
    },
    responses: { 200: ImportedChat },
    errors: ['invalid_value'],
    handler: ({ kernel, query, body }) => kernel.imports.add(body, { dryRun: query.dry_run }),
  }),
];
