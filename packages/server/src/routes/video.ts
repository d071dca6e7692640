/** The video shelf: history and subscriptions, kept for all clients and never looked up anywhere (VID-1 to VID-5). */
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
import { Limit } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'video',
  description: 'The shelf of videos: history and subscriptions.',
};
const VideoParams = z.object({ video_id: VideoId });
const ChannelParams = z.object({ channel_id: ChannelId });

export const routes = [
  defineRoute({
    method: 'PUT',
    url: '/v1/video/history/:video_id',
    operationId: 'markVideo',
    summary: 'Put a video on top of the history',
    description:
      'With what is known of it now, in place of what was. The 200 that were marked last are kept.',
    tag,
    request: { params: VideoParams, body: MarkVideo },
    responses: { 200: Video },
    handler: ({ kernel, params, body }) => kernel.videos.mark(params.video_id, body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/video/history',
    operationId: 'listVideos',
    summary: 'List the history of videos',
    description: 'The one that was marked last comes first.',
    tag,
    request: {
      query: z.object({
        limit: Limit,
        before: z.string().optional().describe('The id of the last video that is known.'),
      }),
    },
    responses: { 200: VideoPage },
    errors: ['unknown_cursor'],
    handler: ({ kernel, query: { limit, before } }) =>
      kernel.videos.history({ limit, ...(before !== undefined && { before }) }),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/video/history',
    operationId: 'deleteVideos',
    summary: 'Empty the history of videos',
    description: 'Subscriptions stay.',
    tag,
    responses: { 200: VideosDeleted },
    handler: ({ kernel }) => kernel.videos.forget(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/video/history/:video_id',
    operationId: 'deleteVideo',
    summary: 'Take a video out of the history',
    description: 'The channel that it is of stays followed.',
    tag,
    request: { params: VideoParams },
    responses: { 200: VideosDeleted },
    handler: ({ kernel, params }) => kernel.videos.forget(params.video_id),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/video/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List the channels that are followed',
    description: 'By title.',
    tag,
    responses: { 200: SubscriptionList },
    handler: ({ kernel }) => kernel.videos.subscriptions(),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/video/subscriptions/:channel_id',
    operationId: 'subscribe',
    summary: 'Follow a channel',
    description: 'Or change what is known of it: all of it takes the place of what was.',
    tag,
    request: { params: ChannelParams, body: SubscribeToChannel },
    responses: { 200: Subscription },
    handler: ({ kernel, params, body }) => kernel.videos.subscribe(params.channel_id, body),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/video/subscriptions/:channel_id',
    operationId: 'unsubscribe',
    summary: 'Follow a channel no longer',
    description: 'Videos of it stay in the history.',
    tag,
    request: { params: ChannelParams },
    responses: { 200: VideosDeleted },
    handler: ({ kernel, params }) => kernel.videos.unsubscribe(params.channel_id),
  }),
];
