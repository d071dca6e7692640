/** The notebook of a chat. */
import { Notebook, SetNotebook } from '@chat-kernel/protocol';
import { ChatParams } from '../http/parameters.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './chats.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/notes',
    operationId: 'getNotebook',
    summary: 'Read the notebook',
    description: 'In a turn the model is told it anyway.',
    tag,
    request: { params: ChatParams },
    responses: { 200: Notebook },
    handler: ({ kernel, params }) => kernel.notebooks.read(params.id),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/chats/:id/notes',
    operationId: 'setNotebook',
    summary: 'Write the notebook',
    description: 'The whole of it. The model is told in the next turn.',
    tag,
    request: { params: ChatParams, body: SetNotebook },
    responses: { 200: Notebook },
    handler: ({ kernel, params, body }) => kernel.notebooks.write(params.id, body.text),
  }),
];
