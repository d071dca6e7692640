/** Defines parameters of addresses and queries, and tags, for several files of routes. */
import { Id } from '@chat-kernel/protocol';
import { z } from 'zod';
import type { RouteTag } from './route.ts';

export const ChatParams = z.object({ id: Id.describe('The chat.') });
export const Limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(500)
  .default(50)
  .describe('The maximum number of entries.');

/** Query value `true` or `false`; absent is false. */
export const Switch = z
  .enum(['true', 'false'])
  .default('false')
  .transform(value => value === 'true');

export const chatsTag: RouteTag = {
  name: 'chats',
  description: 'Chats with their settings, notebook, plan, spend and forks.',
};
export const modelsTag: RouteTag = {
  name: 'models',
  description: 'Models, and one-off model calls outside of chats.',
};
