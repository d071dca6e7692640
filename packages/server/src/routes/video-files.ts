/** Subscriptions as files, imported from other programs and exported for them. */
import { SubscriptionsImported } from '@chat-kernel/protocol';
import { z } from 'zod';
import { dispositionOf } from '../files/disposition.ts';
import { checkLength, uploadedBytes } from '../files/upload.ts';
import { Switch } from '../http/parameters.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './video.ts';

/** Bytes of an import. */
const LARGEST_IMPORT = 10 * 1024 * 1024;
const FILES = {
  opml: { type: 'text/x-opml; charset=utf-8', name: 'subscriptions.opml' },
  newpipe: { type: 'application/json; charset=utf-8', name: 'subscriptions.json' },
} as const;

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/video/import',
    operationId: 'importSubscriptions',
    summary: 'Follow the channels of a file',
    description:
      'The body is the file itself, of at most 10 MiB, whatever its Content-Type: OPML, or the subscriptions that ' +
      'NewPipe, Invidious or FreeTube export. What it is shows in what it holds.',
    tag,
    rawBody: 'The bytes of the file.',
    request: { query: z.object({ dry_run: Switch.describe('Only count.') }) },
    responses: { 200: SubscriptionsImported },
    errors: ['body_too_large'],
    async handler({ kernel, query, request }) {
      checkLength(request.raw, LARGEST_IMPORT);
      const pieces: Buffer[] = [];
      // A piece is copied, for its bytes are gone when the next is asked for.
      for await (const piece of uploadedBytes(request.raw, LARGEST_IMPORT)) pieces.push(Buffer.from(piece));
      return kernel.videos.import(Buffer.concat(pieces), query);
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/video/export',
    operationId: 'exportSubscriptions',
    summary: 'Export the channels that are followed',
    description: 'A channel that the format has no place for is not in it.',
    tag,
    request: {
      query: z.object({
        format: z.enum(['opml', 'newpipe']).default('opml').describe('Which programs are to read it.'),
      }),
    },
    responses: { 200: { contentType: '*/*', description: 'The file.' } },
    responseHeaders: { 'Content-Disposition': 'Its name.' },
    async handler({ kernel, query: { format }, reply }) {
      const { type, name } = FILES[format];
      return reply
        .headers({
          'content-type': type,
          'content-disposition': dispositionOf('attachment', name),
          'cache-control': 'no-store',
        })
        .send(await kernel.videos.export(format));
    },
  }),
];
