/**
 * Defines the video shelf: watched videos and followed channels, stored for all clients without any lookups (VID-1 to
 * VID-5).
 */
import { defineFeature } from '../feature.ts';
import { VideoStore } from './history-store.ts';
import { routes } from './routes.ts';
import { SubscriptionStore } from './subscription-store.ts';
import { Videos } from './videos.ts';

export const videos = defineFeature({
  name: 'videos',
  stores: ({ transactions }) => ({
    videos: new VideoStore(transactions),
    subscriptions: new SubscriptionStore(transactions),
  }),
  open: ({ events, clock }, stores) => ({ service: new Videos(stores, events, clock) }),
  routes,
  documentedAfter: 'deleteBook',
});
