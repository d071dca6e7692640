/** Forks: new chats with the first part of another's history. */
import { Chat, ForkChat } from '@chat-kernel/protocol';
import { ChatParams } from '../http/parameters.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './chats.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/fork',
    operationId: 'forkChat',
    summary: 'Fork: a new chat with the history before a message',
    description:
      'The branch is set as its parent is, and begins with a marker. The parent does not change; a turn of it may run.',
    tag,
    request: { params: ChatParams, body: ForkChat },
    responses: { 201: Chat },
    handler: ({ kernel, params, body }) => kernel.chats.fork(params.id, body),
  }),
];
