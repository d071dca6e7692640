/** The stream of a turn that another client started, or whose own stream broke off (EV-12). */
import { EVENT_TYPES, type EventType } from '@chat-kernel/protocol';
import { z } from 'zod';
import { eventStream } from '../http/event-stream.ts';
import { ChatParams, Switch } from '../http/parameters.ts';
import { defineRoute } from '../http/route.ts';
import { RESUMED_HEADER, stream } from '../http/sse.ts';
import { tag } from './turns.ts';

const Mute = z
  .string()
  .default('')
  .describe('Event types that are not sent, comma-separated.')
  .transform((text, context): EventType[] => {
    const types = text.split(',').filter(type => type !== '');
    const unknown = types.filter(type => !EVENT_TYPES.includes(type as EventType));
    if (unknown.length > 0) {
      context.addIssue({ code: 'custom', message: `expected event types, got ${unknown.join(', ')}` });
    }
    return types as EventType[];
  });

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/live',
    operationId: 'watchChat',
    summary: 'Watch the turn that runs: what it did so far, then what it does',
    description:
      'Replayed events carry `replayed: true`: draw them, never execute them. 204 where no turn is queued, sleeping or running. ' +
      'With `follow` and Last-Event-ID come the rest of that turn and every turn that ran since, whole, as far as they ' +
      'are kept: 60 s after their end. Where one is gone, an event `reset` comes first: read the items again.',
    tag,
    request: {
      params: ChatParams,
      query: z.object({ mute: Mute, follow: Switch.describe('Stay for the turns to come.') }),
      headers: z.object({
        'last-event-id': z.string().optional().describe('Only what came after this event is sent.'),
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
];
