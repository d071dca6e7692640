/** Sends push notifications to the owner when something waits or has ended (PUSH-1 to PUSH-4). */
import { openPushKey, pushKeyIn } from '@chat-kernel/storage';
import { defineFeature } from '../feature.ts';
import { Push } from './push.ts';
import { routes } from './routes.ts';
import { openSender } from './senders/open-sender.ts';
import { PushSubscriptionStore } from './store.ts';

export const push = defineFeature({
  name: 'push',
  stores: ({ transactions }) => ({ pushSubscriptions: new PushSubscriptionStore(transactions) }),
  open(services, stores) {
    const { store, settings, environment } = services;
    const key = () => (store.fleet ? pushKeyIn(store.fleet.pushKey) : openPushKey(settings.data_dir));
    const sender = openSender({ settings, environment, key });
    const service = new Push({ ...services, ...stores, sender, publicUrl: settings.server.public_url });
    return {
      service,
      name: 'push',
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
