/** Search over the messages of all chats. */
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
    description: 'In what people and models said, the newest first.',
    tag,
    request: {
      query: z.object({
        q: z
          .string()
          .regex(/\S/, 'expected a word')
          .describe('Every word must be there; the last may be the beginning of one.'),
        limit: z.coerce.number().int().min(1).max(100).default(20).describe('At most so many.'),
      }),
    },
    responses: { 200: SearchResults },
    handler: ({ kernel, query }) => kernel.archive.search(query.q, query.limit),
  }),
];
