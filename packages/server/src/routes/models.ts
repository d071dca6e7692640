/** Lists the models on which turns can run. */
import { modelsTag } from '@chat-kernel/http';
import { ModelList } from '@chat-kernel/protocol';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf(modelsTag);

export const routes = [
  defineRoute('GET /v1/models', {
    operationId: 'listModels',
    summary: 'List models',
    description: 'Each model has its context window, effort levels and price.',
    responses: { 200: ModelList },
    handler: ({ kernel }) => kernel.service.models(),
  }),
];
