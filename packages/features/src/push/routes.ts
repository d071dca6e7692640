/** Serves subscriptions to push notifications about what waits or has ended (PUSH-1). */
import {
  Id,
  PushKey,
  PushLog,
  PushSubscription,
  PushSubscriptionList,
  PushTested,
  PushUnsubscribed,
  SubscribeToPush,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { Push } from './push.ts';

const defineRoute = featureRoutes<Push>({
  name: 'push',
  description: 'Notifications to the owner about pending requests and finished turns.',
});
const SubscriptionParams = z.object({ id: Id });

export const routes = [
  defineRoute('GET /v1/push', {
    operationId: 'getPushKey',
    summary: 'Get the public key for browser subscriptions',
    description:
      'The key never changes and is part of backups. Browsers that used another key must subscribe again.',
    responses: { 200: PushKey },
    handler: ({ service }) => service.key(),
  }),
  defineRoute('PUT /v1/push/subscriptions', {
    operationId: 'subscribeToPush',
    summary: 'Subscribe a browser to notifications',
    description:
      'Subscribing the same endpoint again replaces the subscription and keeps its id. The endpoint must use https and be on ' +
      'the public network, unless `push.allow_private` is set.',
    request: { body: SubscribeToPush },
    responses: { 200: PushSubscription },
    errors: ['invalid_value'],
    handler: ({ service, body }) => service.subscribe(body),
  }),
  defineRoute('GET /v1/push/subscriptions', {
    operationId: 'listPushSubscriptions',
    summary: 'List push subscriptions',
    description: 'The list does not contain keys.',
    responses: { 200: PushSubscriptionList },
    handler: ({ service }) => service.subscriptions(),
  }),
  defineRoute('DELETE /v1/push/subscriptions/:id', {
    operationId: 'unsubscribeFromPush',
    summary: 'Unsubscribe a browser',
    description: 'The browser is not informed. A notification that is already being sent may still arrive.',
    request: { params: SubscriptionParams },
    responses: { 200: PushUnsubscribed },
    handler: ({ service, params }) => service.unsubscribe(params.id),
  }),
  defineRoute('POST /v1/push/subscriptions/:id/test', {
    operationId: 'testPush',
    summary: 'Send a test notification to a browser',
    description: 'Sends it once and returns the outcome. An expired subscription is removed.',
    request: { params: SubscriptionParams },
    responses: { 200: PushTested },
    handler: ({ service, params }) => service.test(params.id),
  }),
  defineRoute('GET /v1/push/log', {
    operationId: 'readPushLog',
    summary: 'List recent notifications',
    description: 'Covers browsers and the targets in the setting `notify`. Contains no message text.',
    responses: { 200: PushLog },
    handler: ({ service }) => service.log(),
  }),
];
