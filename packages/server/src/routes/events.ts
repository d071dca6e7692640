/** Events of all chats, for a client that shows the list of them. */
import { z } from 'zod';
import { kernelEventStream } from '../http/event-stream.ts';
import { defineRoute } from '../http/route.ts';
import { stream } from '../http/sse.ts';
import { tag } from './chats.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/events',
    operationId: 'watchKernel',
    summary: 'Watch all chats: which come, change and go, which turns run, what waits for an answer',
    description:
      'Begins with an event `opened`; what happens from now on follows. With Last-Event-ID what was missed comes first; where that is no longer ' +
      'known, such as after a restart, an event `reset` comes in its place: read the lists again. Ends with the kernel.',
    tag,
    request: {
      headers: z.object({
        'last-event-id': z.string().optional().describe('Only what came after this event is sent.'),
      }),
    },
    responses: { 200: kernelEventStream },
    handler: ({ kernel, headers, reply }) => stream(reply, kernel.events(headers['last-event-id'])),
  }),
];
