/** Serves items, the history in the form that clients show, and searches and exports it. */
import { Readable } from 'node:stream';
import { ChatParams, formatContentDisposition, Limit, type RouteTag } from '@chat-kernel/http';
import { ItemPage, SearchResults } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';
import { tag as messagesTag } from './messages.ts';

const tag: RouteTag = { name: 'items', description: 'The history as items for display.' };

const TYPES = { jsonl: 'application/x-ndjson', md: 'text/markdown; charset=utf-8' } as const;

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('GET /v1/chats/:id/items', {
    operationId: 'listItems',
    summary: 'List items, newest page first',
    description: 'Only the page at the start of the history is empty.',
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
  routesOf(messagesTag)('GET /v1/search', {
    operationId: 'search',
    summary: 'Search the messages of all chats',
    description: 'Searches messages of people and models, newest first.',
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
  defineRoute('GET /v1/chats/:id/export', {
    operationId: 'exportChat',
    summary: 'Export the history of a chat',
    description:
      '`jsonl` (application/x-ndjson): the chat (with `kind` `chat`), then one item per line, as in GET items. `md` (text/markdown): a readable text.',
    request: {
      params: ChatParams,
      query: z.object({
        format: z
          .enum(['jsonl', 'md'])
          .default('jsonl')
          .describe('The chat and its items, one per line, or a readable text.'),
      }),
    },
    responses: { 200: { contentType: '*/*', description: 'The history.' } },
    responseHeaders: { 'Content-Disposition': 'A file named after the chat.' },
    async handler({ kernel, params, query, request, reply, settings }) {
      // bounded: an address in the settings.
      const address = settings.server.public_url?.replace(/\/+$/, '') ?? `http://${request.host}`;
      const { name, text } = await kernel.archive.export(params.id, query.format, address);
      return (
        reply
          .headers({
            'content-type': TYPES[query.format],
            'content-disposition': formatContentDisposition('attachment', name),
            'cache-control': 'no-store',
          })
          // A HEAD reads nothing.
          .send(Readable.from(request.method === 'HEAD' ? [] : text))
      );
    },
  }),
];
