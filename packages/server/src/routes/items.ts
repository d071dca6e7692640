/** Serves items: the history of a chat in the form that clients show. */

import type { RouteTag } from '@chat-kernel/http';
import { ChatParams, Limit } from '@chat-kernel/http';
import { ItemPage } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

export const tag: RouteTag = { name: 'items', description: 'The history as items for display.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/items',
    operationId: 'listItems',
    summary: 'List items, newest page first',
    description: 'Only the page at the start of the history is empty.',
    tag,
    request: {
      params: ChatParams,
      query: z.object({
        limit: Limit.describe('Counts messages. A message can have several items.'),
        before: z.string().optional().describe('An item id. The page contains the items before it.'),
      }),
    },
    responses: { 200: ItemPage },
    errors: ['unknown_cursor'],
    handler: ({ kernel, params, query }) => kernel.history.items(params.id, query),
  }),
];
