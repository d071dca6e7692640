/** Serves the notebook of a chat. */
import { ChatParams, chatsTag as tag } from '@chat-kernel/http';
import { Notebook, SetNotebook } from '@chat-kernel/protocol';
import { featureRoutes } from '../feature.ts';
import type { Notebooks } from './notebooks.ts';

const defineRoute = featureRoutes<Notebooks>();

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/chats/:id/notes',
    operationId: 'getNotebook',
    summary: 'Get the notebook',
    description: 'In a turn, the notebook is already part of the model context.',
    tag,
    request: { params: ChatParams },
    responses: { 200: Notebook },
    handler: ({ service, params }) => service.read(params.id),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/chats/:id/notes',
    operationId: 'setNotebook',
    summary: 'Write the notebook',
    description: 'Replaces the whole notebook. The model sees the change in the next turn.',
    tag,
    request: { params: ChatParams, body: SetNotebook },
    responses: { 200: Notebook },
    handler: ({ service, params, body }) => service.write(params.id, body.text),
  }),
];
