/** Machines that stand by for chats: connected, listed, forgotten (HANDS-1). */
import { ClientId, ForgottenHands, HandsList, MachineName } from '@chat-kernel/protocol';
import { z } from 'zod';
import { handsEventStream } from '../http/event-stream.ts';
import { defineRoute } from '../http/route.ts';
import { stream } from '../http/sse.ts';
import { tag } from './bytes.ts';

const Running = z
  .string()
  .max(100_000)
  .default('')
  .describe('The ids of the operations that the machine is at, or has not answered yet, comma-separated.')
  .transform(text => text.split(',').filter(id => id !== ''));

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/hands/live',
    operationId: 'standBy',
    summary: 'Stand by: execute operations for chats that name this machine',
    description:
      'The same client_id again ends the older stream. What it was sent before and is not in `running` is not sent again: ' +
      'it ends as an error. Results go to `POST /v1/chats/{chat_id}/ops/result`.',
    tag,
    request: {
      query: z.object({
        client_id: ClientId.describe('Stays the same from one start to the next.'),
        name: MachineName,
        platform: z.string().min(1).max(100).default('unknown').describe('Such as linux.'),
        running: Running,
      }),
    },
    responses: { 200: handsEventStream },
    errors: ['name_taken', 'shutting_down'],
    handler: async ({ kernel, query, reply }) => stream(reply, await kernel.machines.connect(query)),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/hands',
    operationId: 'listHands',
    summary: 'List the machines that stand by, or did',
    description: 'One that was here once stays in the list until it is forgotten.',
    tag,
    responses: { 200: HandsList },
    handler: ({ kernel }) => kernel.machines.list(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/hands/:client_id',
    operationId: 'forgetHands',
    summary: 'Forget a machine',
    description:
      'Its name is free, and what it was doing ends as an error. One that still runs comes back by itself.',
    tag,
    request: { params: z.object({ client_id: ClientId.describe('The client that is the machine.') }) },
    responses: { 200: ForgottenHands },
    handler: ({ kernel, params }) => kernel.machines.forget(params.client_id),
  }),
];
