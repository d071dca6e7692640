/** Requests of the kernel to its clients, and their answers. */
import {
  Id,
  OpsProgress,
  OpsResult,
  ProgressTaken,
  RequestList,
  ResolvedRequest,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { ChatParams } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'requests',
  description: 'What the kernel asks its clients, and how they answer.',
};

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/ops/result',
    operationId: 'answerRequest',
    summary: 'Answer a request of the kernel',
    description:
      'Of an operation, an extra tool call or a question. The request is found by its id; the chat in the path ' +
      'counts only where several chats have a request of this id.',
    tag,
    request: { params: ChatParams, body: OpsResult },
    responses: { 200: ResolvedRequest },
    errors: ['invalid_value', 'unknown_request', 'already_resolved'],
    handler: ({ kernel, params, body }) => kernel.operations.answer(params.id, body),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/ops/progress',
    operationId: 'showProgress',
    summary: 'Show how far an operation is',
    description:
      'A snapshot, which replaces the one before; never stored. A few a second are enough. Found as answers are.',
    tag,
    request: { params: ChatParams, body: OpsProgress },
    responses: { 200: ProgressTaken },
    errors: ['unknown_request', 'already_resolved'],
    handler: ({ kernel, params, body }) => kernel.operations.showProgress(params.id, body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/requests',
    operationId: 'listRequests',
    summary: 'List what waits for an answer, in all chats',
    description: 'Operations, calls of extra tools and questions. None outlives its turn.',
    tag,
    request: { query: z.object({ chat_id: Id.optional().describe('Only what this chat waits for.') }) },
    responses: { 200: RequestList },
    async handler({ kernel, query, request, others }) {
      const own = kernel.operations.pending(query.chat_id);
      if (!others || others.isOfKernel(request)) return own;
      const lists = await others.askAll<RequestList>(request.url);
      const requests = [own, ...lists].flatMap(list => list.requests);
      return { requests: requests.sort((a, b) => Date.parse(a.opened_at) - Date.parse(b.opened_at)) };
    },
  }),
];
