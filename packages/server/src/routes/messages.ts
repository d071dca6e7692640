/** Messages of a chat: read back page by page, and rewound. A message that is posted starts a turn: see turns.ts. */
import { Id, MessagePage, RewindFiles, RewoundFiles, RewoundMessages } from '@chat-kernel/protocol';
import { z } from 'zod';
import { hangUpSignal } from '../http/hang-up.ts';
import { ChatParams, Limit } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'messages',
  description: 'The history as it is kept, and search in it.',
};

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/messages',
    operationId: 'listMessages',
    summary: 'Read messages, from the newest page back',
    description: 'As they are kept, made of blocks. `items` gives the same in the form that clients draw.',
    tag,
    request: {
      params: ChatParams,
      query: z.object({
        limit: Limit,
        before: Id.optional().describe('The message before which the page ends.'),
      }),
    },
    responses: { 200: MessagePage },
    errors: ['unknown_cursor'],
    handler: ({ kernel, params, query }) => kernel.history.messages(params.id, query),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/chats/:id/messages/:message_id',
    operationId: 'rewind',
    summary: 'Rewind: delete a message and all after it',
    description: 'Cannot be undone, and does not undo what tools did outside the chat.',
    tag,
    request: { params: ChatParams.extend({ message_id: Id }) },
    responses: { 200: RewoundMessages },
    errors: ['turn_running'],
    handler: ({ kernel, params }) => kernel.history.rewind(params.id, params.message_id),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/messages/:message_id/rewind',
    operationId: 'rewindFiles',
    summary: 'Rewind with the files that write_file and edit_file have changed, or see what that would do',
    description:
      'Each file becomes what it was before the first of the edits that go. Where one was changed since, nothing is restored and nothing rewound. What commands did is not undone.',
    tag,
    request: { params: ChatParams.extend({ message_id: Id }), body: RewindFiles },
    responses: { 200: RewoundFiles },
    errors: ['turn_running', 'files_changed', 'files_stuck'],
    handler: ({ kernel, params, body, reply }) =>
      kernel.history.rewindFiles(params.id, params.message_id, body, hangUpSignal(reply)),
  }),
];
