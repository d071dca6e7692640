/** Models that turns can run on. */
import { ModelList } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';

export const modelRoutes = [
  defineRoute({
    method: 'GET',
    url: '/v1/models',
    operationId: 'listModels',
    summary: 'List models',
    description: 'With what is known of each: its window, its levels of effort, its price.',
    tags: ['models'],
    responses: { 200: ModelList },
    handler: ({ kernel }) => kernel.models(),
  }),
];
