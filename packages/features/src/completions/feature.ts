/** Defines completions: calls to a model outside of any chat (API-5). */
import { disconnectSignal, modelsTag, parseTraceHeaders } from '@chat-kernel/http';
import { inTrace } from '@chat-kernel/kernel';
import { Completion, CompletionRequest } from '@chat-kernel/protocol';
import { defineFeature, featureRoutes } from '../feature.ts';
import { Completions } from './completions.ts';

const defineRoute = featureRoutes<Completions>(modelsTag);

/** Serves calls to a model outside of any chat (API-5). */
const routes = [
  defineRoute('POST /v1/complete', {
    operationId: 'complete',
    summary: 'Call a model once, outside of chats',
    description:
      'Disconnecting aborts the provider request. The cost is in the response and in the totals of GET /v1/stats.',
    request: { body: CompletionRequest },
    responses: { 200: Completion },
    errors: ['invalid_value', 'unknown_model', 'spend_cap', 'upstream_error', 'shutting_down'],
    handler: ({ service, body, request, reply }) =>
      inTrace(parseTraceHeaders(request.headers), () => service.complete(body, disconnectSignal(reply))),
  }),
];

export const completions = defineFeature({
  name: 'completions',
  open: host => ({ service: new Completions(host) }),
  routes,
  documentedAfter: 'listModels',
});
