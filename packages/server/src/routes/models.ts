/** Lists the models on which turns can run. */

import { modelsTag } from '@chat-kernel/http';
import { ModelList } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/models',
    operationId: 'listModels',
    summary: 'List models',
    description: 'Each model has its context window, effort levels and price.',
    tag: modelsTag,
    responses: { 200: ModelList },
    handler: ({ kernel }) => kernel.service.models(),
  }),
];
