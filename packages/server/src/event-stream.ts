/** How a route declares that it answers with a stream of events. */
import { Event } from '@chat-kernel/protocol';
import type { ContentResponse } from './route.ts';

/** `responses: { 200: eventStream }`. */
export const eventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: 'Server-sent events: each `data:` line is one Event as JSON.',
  schema: Event,
};
