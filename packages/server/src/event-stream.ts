/** How a route declares that it answers with a stream of events. */
import { Event, KernelEvent } from '@chat-kernel/protocol';
import type { ContentResponse } from './route.ts';

/** `responses: { 200: eventStream }`. */
export const eventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: 'Server-sent events: each `data:` line is one Event as JSON.',
  schema: Event,
  example:
    'id: 1\ndata: {"type":"text_delta","text":"Hel"}\n\nid: 2\ndata: {"type":"text_delta","text":"lo."}\n\n',
};

export const kernelEventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: 'Server-sent events: each `data:` line is one KernelEvent as JSON.',
  schema: KernelEvent,
  example:
    'id: 1\ndata: {"type":"chat_deleted","chat_id":"0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa"}\n\nid: 2\ndata: {"type":"reset"}\n\n',
};
