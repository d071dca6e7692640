/** Starts turns with a message, looks them up, and cancels them. */
import type { RouteTag } from '@chat-kernel/http';
import { ChatParams, disconnectSignal, parseTraceHeaders, Switch } from '@chat-kernel/http';
import { FeedReader, type Sent, type StartedTurn } from '@chat-kernel/kernel';
import { CancelResult, Id, Turn, TurnRequest } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listHeader } from '../http/body.ts';
import { routesOf } from '../http/route.ts';
import { eventStream, RESUMED_HEADER, stream } from '../http/sse.ts';

export const tag: RouteTag = {
  name: 'turns',
  description: 'Sending messages, following turns, and canceling them.',
};

/** The headers of a start by which a repeat is recognized. */
const REPEAT_HEADERS = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A repeat within 24 h attaches to the turn of the first call.'),
  'last-event-id': z
    .string()
    .optional()
    .describe(
      'For a repeat: only events after this one are sent. Without Idempotency-Key, the same ' +
        'message with an event of its turn also counts as a repeat and attaches to that turn.',
    ),
});

const STARTED_HEADERS = {
  'X-Turn-Id': 'The id of the turn.',
  'X-Message-Id': 'The id of the stored user message.',
  'X-Ignored-Tools':
    'Entries of `tools` that name neither a tool nor a group, percent-encoded and comma-separated.',
  ...RESUMED_HEADER,
};

const START_ERRORS = [
  'empty_message',
  'invalid_value',
  'unknown_file',
  'unknown_model',
  'tool_name_taken',
  'turn_running',
  'idempotency_mismatch',
  'shutting_down',
] as const;

/** The parts of a start that its headers contain. */
function sentWith(
  { 'idempotency-key': idempotencyKey, 'last-event-id': after }: z.infer<typeof REPEAT_HEADERS>,
  request: FastifyRequest,
): Sent {
  return {
    trace: parseTraceHeaders(request.headers),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(after !== undefined && { after }),
  };
}

async function streamStarted(
  reply: FastifyReply,
  sent: Sent,
  { mute }: TurnRequest,
  start: (sent: Sent) => Promise<StartedTurn>,
) {
  const started = await start(sent);
  const { after } = sent;
  const reader = new FeedReader(started.feed.log, {
    mute: new Set(mute),
    replay: started.repeated,
    ...(after !== undefined && { after }),
  });
  return stream(reply, reader, {
    'x-turn-id': started.turn_id,
    'x-message-id': started.message_id,
    ...(started.ignored_tools.length > 0 && { 'x-ignored-tools': listHeader(started.ignored_tools) }),
    ...(after !== undefined && { 'x-resumed': String(reader.resumed) }),
  });
}

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('POST /v1/chats/:id/messages', {
    operationId: 'startTurn',
    summary: 'Send a message and stream its turn',
    description:
      'A 200 means that the message is stored. The turn then continues independently of this stream. ' +
      'While another turn of the chat runs, this one is queued, or rejected with on_busy: reject.',
    request: {
      params: ChatParams,
      body: TurnRequest,
      headers: REPEAT_HEADERS,
    },
    responses: { 200: eventStream },
    responseHeaders: STARTED_HEADERS,
    errors: START_ERRORS,
    handler: ({ kernel, params, body, headers, request, reply }) =>
      streamStarted(reply, sentWith(headers, request), body, sent =>
        kernel.turns.start(params.id, body, sent),
      ),
  }),
  defineRoute('POST /v1/chats/:id/messages/:message_id/retry', {
    operationId: 'retryTurn',
    summary: 'Retry, edit or regenerate: start a turn in place of the one that a message began',
    description:
      'Without text, images and files, the same message is sent again; with any of them, they replace all three. Who speaks, and `machine`, stay as in the original. ' +
      'The message and everything after it become a version, and nothing is deleted.',
    request: {
      params: ChatParams.extend({ message_id: Id }),
      body: TurnRequest.prefault({}),
      headers: REPEAT_HEADERS,
      query: z.object({
        files: z
          .literal('restore')
          .optional()
          .describe('First restores the files that tools changed from the message on.'),
      }),
    },
    responses: { 200: eventStream },
    responseHeaders: STARTED_HEADERS,
    errors: [...START_ERRORS, 'files_changed', 'files_stuck'],
    handler: ({ kernel, params, query, body, headers, request, reply }) =>
      streamStarted(reply, sentWith(headers, request), body, sent =>
        kernel.turns.retry(
          params.id,
          { message_id: params.message_id, request: body, ...query },
          sent,
          disconnectSignal(reply),
        ),
      ),
  }),
  defineRoute('GET /v1/chats/:id/turns/:turn_id', {
    operationId: 'getTurn',
    summary: 'Get a turn',
    description: 'Returns status, effort and its source, usage, and the error of a failed turn.',
    request: { params: ChatParams.extend({ turn_id: Id }) },
    responses: { 200: Turn },
    handler: ({ kernel, params }) => kernel.turns.get(params.id, params.turn_id),
  }),
  defineRoute('POST /v1/chats/:id/cancel', {
    operationId: 'cancelTurn',
    summary: 'Cancel the running turn',
    description: 'Responds when the turn has ended. Queued turns continue, unless queued=true.',
    request: {
      params: ChatParams,
      query: z.object({ queued: Switch.describe('Also cancel queued turns.') }),
    },
    responses: { 200: CancelResult },
    handler: ({ kernel, params, query }) => kernel.turns.cancel(params.id, query),
  }),
];
