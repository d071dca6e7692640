/** Serves the messages of a chat page by page, rewinds it, and forks it. Posting a message starts a turn: see turns.ts. */
import { ChatParams, chatsTag, disconnectSignal, Limit, type RouteTag } from '@chat-kernel/http';
import {
  Chat,
  ChatVersions,
  ForkChat,
  Id,
  MessagePage,
  RewindFiles,
  RewoundFiles,
  RewoundMessages,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'messages',
  description: 'The stored history, and search in it.',
};

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('GET /v1/chats/:id/messages', {
    operationId: 'listMessages',
    summary: 'List messages, newest page first',
    description: 'Messages consist of blocks. `items` returns the same history for display.',
    request: {
      params: ChatParams,
      query: z.object({
        limit: Limit,
        before: Id.optional().describe('A message id. The page contains the messages before it.'),
      }),
    },
    responses: { 200: MessagePage },
    errors: ['unknown_cursor'],
    handler: ({ kernel, params, query }) => kernel.history.messages(params.id, query),
  }),
  defineRoute('DELETE /v1/chats/:id/messages/:message_id', {
    operationId: 'rewind',
    summary: 'Rewind: delete a message and all later ones',
    description: 'This cannot be undone. Side effects of tools outside the chat are not reverted.',
    request: { params: ChatParams.extend({ message_id: Id }) },
    responses: { 200: RewoundMessages },
    errors: ['turn_running'],
    handler: ({ kernel, params }) => kernel.history.rewind(params.id, params.message_id),
  }),
  defineRoute('POST /v1/chats/:id/messages/:message_id/rewind', {
    operationId: 'rewindFiles',
    summary: 'Rewind, and keep the message and all later ones as a version',
    description:
      'With `files`, restores files changed by write_file and edit_file first, or previews that: each file gets its state before the first removed edit. If a file was changed later, nothing is restored or rewound. Effects of commands are not reverted.',
    request: {
      params: ChatParams.extend({ message_id: Id }),
      query: RewindFiles.pick({ files: true }),
      body: RewindFiles.prefault({}),
    },
    responses: { 200: RewoundFiles },
    errors: ['turn_running', 'files_changed', 'files_stuck'],
    handler: ({ kernel, params, query, body, reply }) =>
      kernel.history.rewindToVersion(
        params.id,
        params.message_id,
        { ...query, ...body },
        disconnectSignal(reply),
      ),
  }),
  defineRoute('GET /v1/chats/:id/versions', {
    operationId: 'listVersions',
    summary: 'List the versions of a chat',
    description:
      'A retry, an edit and a rewind keep what they replace or remove. Only the active versions are part of the chat.',
    request: { params: ChatParams },
    responses: { 200: ChatVersions },
    handler: ({ kernel, params }) => kernel.history.versions(params.id),
  }),
  defineRoute('POST /v1/chats/:id/versions/:version_id/activate', {
    operationId: 'activateVersion',
    summary: 'Show another version',
    description:
      'Makes it part of the chat, with the versions that contain it, and what was at its place inactive.',
    request: { params: ChatParams.extend({ version_id: Id }) },
    responses: { 200: ChatVersions },
    errors: ['turn_running'],
    handler: ({ kernel, params }) => kernel.history.activate(params.id, params.version_id),
  }),
  routesOf(chatsTag)('POST /v1/chats/:id/fork', {
    operationId: 'forkChat',
    summary: 'Fork a chat before a message',
    description:
      'Creates a chat with the history before the message and the settings of the parent. It starts with a marker. The parent does not change and may have a running turn.',
    request: { params: ChatParams, body: ForkChat },
    responses: { 201: Chat },
    handler: ({ kernel, params, body }) => kernel.chats.fork(params.id, body),
  }),
];
