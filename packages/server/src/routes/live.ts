/** Streams a turn that another client started, or whose own stream broke off (EV-12), and the events of all chats. */
import { ChatParams, chatsTag, Switch } from '@chat-kernel/http';
import { MAX_MUTED } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';
import { eventStream, kernelEventStream, RESUMED_HEADER, stream } from '../http/sse.ts';
import { tag } from './turns.ts';

const Mute = z
  .string()
  .default('')
  .describe('Event types to leave out, comma-separated. Unknown types are ignored.')
  .transform(text => text.split(',').filter(type => type !== ''))
  .refine(types => types.length <= MAX_MUTED, `expected at most ${MAX_MUTED} event types`);

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('GET /v1/chats/:id/live', {
    operationId: 'watchChat',
    summary: 'Stream the running turn: past events, then live events',
    description:
      'Replayed events have `replayed: true`: display them, but never execute them. Returns 204 if no turn is queued, sleeping or running. ' +
      'With `follow` and Last-Event-ID, the rest of that turn and all later turns are replayed as long as they ' +
      'are kept, 60 s after their end. If one is no longer available, an event `reset` comes first: read the items again.',
    request: {
      params: ChatParams,
      query: z.object({ mute: Mute, follow: Switch.describe('Keep the stream open for later turns.') }),
      headers: z.object({
        'last-event-id': z.string().optional().describe('Only later events are sent.'),
      }),
    },
    responses: { 200: eventStream, 204: null },
    responseHeaders: RESUMED_HEADER,
    async handler({ kernel, params, query, headers, reply }) {
      const after = headers['last-event-id'];
      const reader = await kernel.turns.live(params.id, {
        mute: new Set(query.mute),
        follow: query.follow,
        ...(after !== undefined && { after }),
      });
      if (reader === null) return reply.code(204).send();
      return stream(reply, reader, after === undefined ? {} : { 'x-resumed': String(reader.resumed) });
    },
  }),
  routesOf(chatsTag)('GET /v1/events', {
    operationId: 'watchKernel',
    summary: 'Stream events of all chats: changes, running turns, pending requests',
    description:
      'Starts with an event `opened`, followed by new events. With Last-Event-ID, missed events come first. If they are no longer ' +
      'available, such as after a restart, an event `reset` is sent instead: read the lists again. The stream ends with the kernel.',
    request: {
      headers: z.object({
        'last-event-id': z.string().optional().describe('Only later events are sent.'),
      }),
    },
    responses: { 200: kernelEventStream },
    handler: ({ kernel, headers, reply }) => stream(reply, kernel.events(headers['last-event-id'])),
  }),
];
