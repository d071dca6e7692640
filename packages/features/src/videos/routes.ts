/** Serves the video shelf: history and subscriptions, stored for all clients without any lookups (VID-1 to VID-5). */
import { Limit, type RouteTag } from '@chat-kernel/http';
import {
  ChannelId,
  MarkVideo,
  SubscribeToChannel,
  Subscription,
  SubscriptionList,
  Video,
  VideoId,
  VideoPage,
  VideosDeleted,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { Videos } from './videos.ts';

const defineRoute = featureRoutes<Videos>();

export const tag: RouteTag = {
  name: 'video',
  description: 'The video library: history and subscriptions.',
};
const VideoParams = z.object({ video_id: VideoId });
const ChannelParams = z.object({ channel_id: ChannelId });

export const routes = [
  defineRoute({
    method: 'PUT',
    url: '/v1/video/history/:video_id',
    operationId: 'markVideo',
    summary: 'Move a video to the top of the history',
    description: 'Replaces its metadata. The history keeps the 200 most recent videos.',
    tag,
    request: { params: VideoParams, body: MarkVideo },
    responses: { 200: Video },
    handler: ({ service, params, body }) => service.mark(params.video_id, body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/video/history',
    operationId: 'listVideos',
    summary: 'List the video history',
    description: 'Most recent first.',
    tag,
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
  defineRoute({
    method: 'DELETE',
    url: '/v1/video/history',
    operationId: 'deleteVideos',
    summary: 'Clear the video history',
    description: 'Subscriptions are kept.',
    tag,
    responses: { 200: VideosDeleted },
    handler: ({ service }) => service.forget(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/video/history/:video_id',
    operationId: 'deleteVideo',
    summary: 'Delete a video from the history',
    description: 'The subscription to its channel stays.',
    tag,
    request: { params: VideoParams },
    responses: { 200: VideosDeleted },
    handler: ({ service, params }) => service.forget(params.video_id),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/video/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List the subscriptions',
    description: 'Sorted by title.',
    tag,
    responses: { 200: SubscriptionList },
    handler: ({ service }) => service.subscriptions(),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/video/subscriptions/:channel_id',
    operationId: 'subscribe',
    summary: 'Subscribe to a channel',
    description: 'If the channel is already followed, its data is replaced.',
    tag,
    request: { params: ChannelParams, body: SubscribeToChannel },
    responses: { 200: Subscription },
    handler: ({ service, params, body }) => service.subscribe(params.channel_id, body),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/video/subscriptions/:channel_id',
    operationId: 'unsubscribe',
    summary: 'Unsubscribe from a channel',
    description: 'Its videos stay in the history.',
    tag,
    request: { params: ChannelParams },
    responses: { 200: VideosDeleted },
    handler: ({ service, params }) => service.unsubscribe(params.channel_id),
  }),
];
