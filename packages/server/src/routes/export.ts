/** Exports the whole history of a chat as a streamed file. */
import { Readable } from 'node:stream';
import { ChatParams, formatContentDisposition } from '@chat-kernel/http';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { tag } from './items.ts';

const TYPES = { jsonl: 'application/x-ndjson', md: 'text/markdown; charset=utf-8' } as const;

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/export',
    operationId: 'exportChat',
    summary: 'Export the history of a chat',
    description:
      '`jsonl` (application/x-ndjson): the chat (with `kind` `chat`), then one item per line, as in GET items. `md` (text/markdown): a readable text.',
    tag,
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
