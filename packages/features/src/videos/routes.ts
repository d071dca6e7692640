/** Serves the video shelf: history and subscriptions, stored for all clients without any lookups (VID-1 to VID-5). */
import { checkLength, formatContentDisposition, Limit, Switch, uploadedBytes } from '@chat-kernel/http';
import {
  ChannelId,
  MarkVideo,
  SubscribeToChannel,
  Subscription,
  SubscriptionList,
  SubscriptionsImported,
  Video,
  VideoId,
  VideoPage,
  VideosDeleted,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { Videos } from './videos.ts';

const defineRoute = featureRoutes<Videos>({
  name: 'video',
  description: 'The video library: history and subscriptions.',
});

const VideoParams = z.object({ video_id: VideoId });
const ChannelParams = z.object({ channel_id: ChannelId });

/** Maximum size of an import, in bytes. */
const LARGEST_IMPORT = 10 * 1024 * 1024;
const FILES = {
  opml: { type: 'text/x-opml; charset=utf-8', name: 'subscriptions.opml' },
  newpipe: { type: 'application/json; charset=utf-8', name: 'subscriptions.json' },
} as const;

export const routes = [
  defineRoute('PUT /v1/video/history/:video_id', {
    operationId: 'markVideo',
    summary: 'Move a video to the top of the history',
    description: 'Replaces its metadata. The history keeps the 200 most recent videos.',
    request: { params: VideoParams, body: MarkVideo },
    responses: { 200: Video },
    handler: ({ service, params, body }) => service.mark(params.video_id, body),
  }),
  defineRoute('GET /v1/video/history', {
    operationId: 'listVideos',
    summary: 'List the video history',
    description: 'Most recent first.',
    request: {
      query: z.object({
        limit: Limit,
        before: z.string().optional().describe('The id of the last video of the previous page.'),
      }),
    },
    responses: { 200: VideoPage },
    errors: ['unknown_cursor'],
    handler: ({ service, query }) => service.history(query),
  }),
  defineRoute('DELETE /v1/video/history', {
    operationId: 'deleteVideos',
    summary: 'Clear the video history',
    description: 'Subscriptions are kept.',
    responses: { 200: VideosDeleted },
    handler: ({ service }) => service.forget(),
  }),
  defineRoute('DELETE /v1/video/history/:video_id', {
    operationId: 'deleteVideo',
    summary: 'Delete a video from the history',
    description: 'The subscription to its channel stays.',
    request: { params: VideoParams },
    responses: { 200: VideosDeleted },
    handler: ({ service, params }) => service.forget(params.video_id),
  }),
  defineRoute('GET /v1/video/subscriptions', {
    operationId: 'listSubscriptions',
    summary: 'List the subscriptions',
    description: 'Sorted by title.',
    responses: { 200: SubscriptionList },
    handler: ({ service }) => service.subscriptions(),
  }),
  defineRoute('PUT /v1/video/subscriptions/:channel_id', {
    operationId: 'subscribe',
    summary: 'Subscribe to a channel',
    description: 'If the channel is already followed, its data is replaced.',
    request: { params: ChannelParams, body: SubscribeToChannel },
    responses: { 200: Subscription },
    handler: ({ service, params, body }) => service.subscribe(params.channel_id, body),
  }),
  defineRoute('DELETE /v1/video/subscriptions/:channel_id', {
    operationId: 'unsubscribe',
    summary: 'Unsubscribe from a channel',
    description: 'Its videos stay in the history.',
    request: { params: ChannelParams },
    responses: { 200: VideosDeleted },
    handler: ({ service, params }) => service.unsubscribe(params.channel_id),
  }),
  defineRoute('POST /v1/video/import', {
    operationId: 'importSubscriptions',
    summary: 'Import subscriptions from a file',
    description:
      'The body is the file content, at most 10 MiB, with any Content-Type: OPML, or the subscription export of ' +
      'NewPipe, Invidious or FreeTube. The format is detected from the content.',
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
  defineRoute('GET /v1/video/export', {
    operationId: 'exportSubscriptions',
    summary: 'Export the subscriptions',
    description: 'Channels that the format cannot represent are left out.',
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
