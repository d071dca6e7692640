/** Word to the owner when something waits or has ended (PUSH-1). */
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
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'push', description: 'Word to the owner when something waits or has ended.' };
const SubscriptionParams = z.object({ id: Id });

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/push',
    operationId: 'getPushKey',
    summary: 'Read the key that browsers subscribe with',
    description:
      'It stays the same, also in a restored backup. A browser with another one has to subscribe again.',
    tag,
    responses: { 200: PushKey },
    handler: ({ kernel }) => kernel.push.key(),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/push/subscriptions',
    operationId: 'subscribeToPush',
    summary: 'Send word to a browser',
    description:
      'The same endpoint again replaces what was known of it, and keeps its id. The endpoint has to be https and of ' +
      'the public network, unless `push.allow_private` is set.',
    tag,
    request: { body: SubscribeToPush },
    responses: { 200: PushSubscription },
    errors: ['invalid_value'],
    handler: ({ kernel, body }) => kernel.push.subscribe(body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/push/subscriptions',
    operationId: 'listPushSubscriptions',
    summary: 'List the browsers that get word',
    description: 'Without their keys.',
    tag,
    responses: { 200: PushSubscriptionList },
    handler: ({ kernel }) => kernel.push.subscriptions(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/push/subscriptions/:id',
    operationId: 'unsubscribeFromPush',
    summary: 'Send a browser no more word',
    description: 'The browser itself knows nothing of it; what is under way may still come.',
    tag,
    request: { params: SubscriptionParams },
    responses: { 200: PushUnsubscribed },
    handler: ({ kernel, params }) => kernel.push.unsubscribe(params.id),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/push/subscriptions/:id/test',
    operationId: 'testPush',
    summary: 'Send a browser a test message',
    description: 'Once, and answers what became of it. Where the subscription is gone it is removed.',
    tag,
    request: { params: SubscriptionParams },
    responses: { 200: PushTested },
    handler: ({ kernel, params }) => kernel.push.test(params.id),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/push/log',
    operationId: 'readPushLog',
    summary: 'Read what was sent lately',
    description: 'To browsers and to what `notify` of the settings names; no text of a message.',
    tag,
    responses: { 200: PushLog },
    handler: ({ kernel }) => kernel.push.log(),
  }),
];
