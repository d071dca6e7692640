/** Models on which turns can run. */
import { ModelList } from '@chat-kernel/protocol';
import { defineRoute, type RouteTag } from '../http/route.ts';

export const tag: RouteTag = { name: 'models', description: 'Models, and asking one outside of any chat.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/models',
    operationId: 'listModels',
    summary: 'List models',
    description: 'With what is known of each: its window, its levels of effort, its price.',
    tag,
    responses: { 200: ModelList },
    handler: ({ kernel }) => kernel.models(),
  }),
];
