/** Searches the messages of all chats. */
import { SearchResults } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { tag } from './messages.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/search',
    operationId: 'search',
    summary: 'Search the messages of all chats',
    description: 'Searches messages of people and models, newest first.',
    tag,
    request: {
      query: z.object({
        q: z
          .string()
          .regex(/\S/, 'expected at least one word')
          .describe('Every word must match. The last word matches as a prefix.'),
        limit: z.coerce.number().int().min(1).max(100).default(20).describe('The maximum number of results.'),
      }),
    },
    responses: { 200: SearchResults },
    handler: ({ kernel, query }) => kernel.archive.search(query.q, query.limit),
  }),
];
