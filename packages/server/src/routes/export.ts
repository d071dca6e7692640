/** Exports: the whole history of a chat as a file, streamed. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { dispositionOf } from '../files/disposition.ts';
import { ChatParams } from '../http/parameters.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './items.ts';

const TYPES = { jsonl: 'application/x-ndjson', md: 'text/markdown; charset=utf-8' } as const;

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/export',
    operationId: 'exportChat',
    summary: 'Export the whole history of a chat',
    description:
      'As `jsonl` (application/x-ndjson) the chat (its `kind` is `chat`), then one item a line, as GET items has them; as `md` (text/markdown) a text for people.',
    tag,
    request: {
      params: ChatParams,
      query: z.object({
        format: z
          .enum(['jsonl', 'md'])
          .default('jsonl')
          .describe('The chat and its items, one a line; or a text for people.'),
      }),
    },
    responses: { 200: { contentType: '*/*', description: 'The history.' } },
    responseHeaders: { 'Content-Disposition': 'A file with the name of the chat.' },
    async handler({ kernel, params, query, request, reply, settings }) {
      // bounded: an address of the settings.
      const address = settings.server.public_url?.replace(/\/+$/, '') ?? `http://${request.host}`;
      const { name, text } = await kernel.archive.export(params.id, query.format, address);
      return (
        reply
          .headers({
            'content-type': TYPES[query.format],
            'content-disposition': dispositionOf('attachment', name),
            'cache-control': 'no-store',
          })
          // A HEAD reads nothing.
          .send(Readable.from(request.method === 'HEAD' ? [] : text))
      );
    },
  }),
];
