/** Imports subscriptions from files of other programs, and exports them. */
import { checkLength, formatContentDisposition, Switch, uploadedBytes } from '@chat-kernel/http';
import { SubscriptionsImported } from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import { tag } from './routes.ts';
import type { Videos } from './videos.ts';

const defineRoute = featureRoutes<Videos>();

/** Maximum size of an import, in bytes. */
const LARGEST_IMPORT = 10 * 1024 * 1024;
const FILES = {
  opml: { type: 'text/x-opml; charset=utf-8', name: 'subscriptions.opml' },
  newpipe: { type: 'application/json; charset=utf-8', name: 'subscriptions.json' },
} as const;

export const fileRoutes = [
  defineRoute({
    method: 'POST',
    url: '/v1/video/import',
    operationId: 'importSubscriptions',
    summary: 'Import subscriptions from a file',
    description:
      'The body is the file content, at most 10 MiB, with any Content-Type: OPML, or the subscription export of ' +
      'NewPipe, Invidious or FreeTube. The format is detected from the content.',
    tag,
    rawBody: 'The file content.',
    request: { query: z.object({ dry_run: Switch.describe('Only count, as a dry run.') }) },
    responses: { 200: SubscriptionsImported },
    errors: ['body_too_large'],
    async handler({ service, query, request }) {
      checkLength(request.raw, LARGEST_IMPORT);
      const pieces: Buffer[] = [];
      // A piece is copied, because its buffer is reused when the next one is read.
      for await (const piece of uploadedBytes(request.raw, LARGEST_IMPORT)) pieces.push(Buffer.from(piece));
      return service.import(Buffer.concat(pieces), query);
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/video/export',
    operationId: 'exportSubscriptions',
    summary: 'Export the subscriptions',
    description: 'Channels that the format cannot represent are left out.',
    tag,
    request: {
      query: z.object({
        format: z.enum(['opml', 'newpipe']).default('opml').describe('The export format.'),
      }),
    },
    responses: { 200: { contentType: '*/*', description: 'The file.' } },
    responseHeaders: { 'Content-Disposition': 'The file name.' },
    async handler({ service, query: { format }, reply }) {
      const { type, name } = FILES[format];
      return reply
        .headers({
          'content-type': type,
          'content-disposition': formatContentDisposition('attachment', name),
          'cache-control': 'no-store',
        })
        .send(await service.export(format));
    },
  }),
];
