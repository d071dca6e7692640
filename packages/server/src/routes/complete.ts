/** Calls to a model outside of any chat (API-5). */
import { Completion, CompletionRequest } from '@chat-kernel/protocol';
import { hangUpSignal } from '../http/hang-up.ts';
import { defineRoute } from '../http/route.ts';
import { traceOf } from '../http/trace-context.ts';
import { tag } from './models.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/complete',
    operationId: 'complete',
    summary: 'Ask a model once, outside of any chat',
    description:
      'Who hangs up ends the request to the provider. What it costs stands in the answer and in the totals of GET /v1/stats.',
    tag,
    request: { body: CompletionRequest },
    responses: { 200: Completion },
    errors: ['invalid_value', 'unknown_model', 'spend_cap', 'upstream_error', 'shutting_down'],
    handler: ({ kernel, body, request, reply }) =>
      kernel.completions.complete(body, hangUpSignal(reply), traceOf(request.headers)),
  }),
];
