/** Sends push notifications to the owner when something waits or has ended (PUSH-1 to PUSH-4). */
import { openPushKey, pushKeyIn } from '@chat-kernel/storage';
import { defineFeature } from '../feature.ts';
import { Push } from './push.ts';
import { routes } from './routes.ts';
import { createNotifiers } from './senders/notifiers.ts';
import { WebPush } from './senders/web-push.ts';
import { PushSubscriptionStore } from './store.ts';

export const push = defineFeature({
  name: 'push',
  stores: ({ transactions }) => ({ pushSubscriptions: new PushSubscriptionStore(transactions) }),
  open(services, stores) {
    const { store, settings, environment } = services;
    const key = () => (store.fleet ? pushKeyIn(store.fleet.pushKey) : openPushKey(settings.data_dir));
    const publicUrl = settings.server.public_url;
    const webPush = new WebPush({ key, publicUrl, allowPrivate: settings.push.allow_private });
    const notifiers = createNotifiers(settings.notify, environment);
    const service = new Push({ ...services, ...stores, webPush, notifiers, publicUrl });
    return {
      service,
      load: () => service.load(),
      notifiesOfRequests: () => service.notifiesOfRequests,
      stop: () => service.stop(),
    };
  },
  counters: [
    {
      name: 'chat_kernel_push_total',
      help: 'Attempts to send notifications, by target and outcome.',
      labels: ['to', 'outcome'],
      read: ({ counts }) => counts.map(({ to, outcome, count }) => ({ labels: { to, outcome }, count })),
    },
  ],
  routes,
  documentedAfter: 'forgetAllMemory',
});
