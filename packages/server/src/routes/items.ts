/** Items: the history of a chat in the form that clients show. */
import { ItemPage } from '@chat-kernel/protocol';
import { z } from 'zod';
import { ChatParams, Limit } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

export const tag: RouteTag = { name: 'items', description: 'The history in the form that clients draw.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/items',
    operationId: 'listItems',
    summary: 'Read items, from the newest page back',
    description: 'An empty page is the start of the history; only there is one.',
    tag,
    request: {
      params: ChatParams,
      query: z.object({
        limit: Limit.describe('Counts messages; a message has several items.'),
        before: z.string().optional().describe('The item before which the page ends.'),
      }),
    },
    responses: { 200: ItemPage },
    errors: ['unknown_cursor'],
    handler: ({ kernel, params, query }) => kernel.history.items(params.id, query),
  }),
];
