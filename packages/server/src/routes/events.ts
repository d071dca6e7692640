/** Streams events of all chats, for clients that show a list of chats. */
import { chatsTag } from '@chat-kernel/http';
import { z } from 'zod';
import { kernelEventStream } from '../http/event-stream.ts';
import { defineRoute } from '../http/route.ts';
import { stream } from '../http/sse.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/events',
    operationId: 'watchKernel',
    summary: 'Stream events of all chats: changes, running turns, pending requests',
    description:
      'Starts with an event `opened`, followed by new events. With Last-Event-ID, missed events come first. If they are no longer ' +
      'available, such as after a restart, an event `reset` is sent instead: read the lists again. The stream ends with the kernel.',
    tag: chatsTag,
    request: {
      headers: z.object({
        'last-event-id': z.string().optional().describe('Only later events are sent.'),
      }),
    },
    responses: { 200: kernelEventStream },
    handler: ({ kernel, headers, reply }) => stream(reply, kernel.events(headers['last-event-id'])),
  }),
];
