/** Creates forks: new chats with the first part of another chat's history. */

import { ChatParams, chatsTag } from '@chat-kernel/http';
import { Chat, ForkChat } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/fork',
    operationId: 'forkChat',
    summary: 'Fork a chat before a message',
    description:
      'Creates a chat with the history before the message and the settings of the parent. It starts with a marker. The parent does not change and may have a running turn.',
    tag: chatsTag,
    request: { params: ChatParams, body: ForkChat },
    responses: { 201: Chat },
    handler: ({ kernel, params, body }) => kernel.chats.fork(params.id, body),
  }),
];
