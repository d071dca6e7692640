/** Turns: started by a message, looked up, cancelled. */
import { FeedReader } from '@chat-kernel/kernel';
import { CancelResult, Id, Turn, TurnRequest } from '@chat-kernel/protocol';
import { z } from 'zod';
import { eventStream } from '../http/event-stream.ts';
import { ChatParams, Switch } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';
import { RESUMED_HEADER, stream } from '../http/sse.ts';
import { traceOf } from '../http/trace-context.ts';

export const tag: RouteTag = {
  name: 'turns',
  description: 'Sending a message, watching what comes of it, stopping it.',
};

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/messages',
    operationId: 'startTurn',
    summary: 'Send a message: starts a turn and streams it',
    description:
      'The message is stored when the answer is 200; the turn then goes on whatever becomes of this stream. ' +
      'While another turn of the chat runs, this one waits in a queue, or is refused with on_busy: reject.',
    tag,
    request: {
      params: ChatParams,
      body: TurnRequest,
      headers: z.object({
        'idempotency-key': z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe('A repeat within 24 h attaches to the turn that the first call started.'),
        'last-event-id': z
          .string()
          .optional()
          .describe(
            'Of a repeat: only what came after this event of the turn is sent. Without Idempotency-Key, the same ' +
              'message with an event of its turn is a repeat too: it attaches to that turn.',
          ),
      }),
    },
    responses: { 200: eventStream },
    responseHeaders: {
      'X-Turn-Id': 'The turn.',
      'X-Message-Id': 'The stored user message.',
      ...RESUMED_HEADER,
    },
    errors: [
      'empty_message',
      'invalid_value',
      'unknown_file',
      'unknown_model',
      'tool_name_taken',
      'turn_running',
      'idempotency_mismatch',
      'shutting_down',
    ],
    async handler({ kernel, params, body, headers, request, reply }) {
      const idempotencyKey = headers['idempotency-key'];
      const after = headers['last-event-id'];
      const trace = traceOf(request.headers);
      const started = await kernel.turns.start(params.id, body, {
        ...(trace && { trace }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(after !== undefined && { after }),
      });
      const reader = new FeedReader(started.feed.log, {
        mute: new Set(body.mute),
        replay: started.repeated,
        ...(after !== undefined && { after }),
      });
      return stream(reply, reader, {
        'x-turn-id': started.turn_id,
        'x-message-id': started.message_id,
        ...(after !== undefined && { 'x-resumed': String(reader.resumed) }),
      });
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/turns/:turn_id',
    operationId: 'getTurn',
    summary: 'How a turn goes or went',
    description: 'Its status, its effort and who decided on it, its usage; where it failed, its error.',
    tag,
    request: { params: ChatParams.extend({ turn_id: Id }) },
    responses: { 200: Turn },
    handler: ({ kernel, params }) => kernel.turns.get(params.id, params.turn_id),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/cancel',
    operationId: 'cancelTurn',
    summary: 'Cancel the running turn',
    description: 'Answers once the turn has ended. Turns that wait behind it go on, unless queued=true.',
    tag,
    request: {
      params: ChatParams,
      query: z.object({ queued: Switch.describe('Also cancel the turns that wait.') }),
    },
    responses: { 200: CancelResult },
    handler: ({ kernel, params, query }) => kernel.turns.cancel(params.id, query),
  }),
];
