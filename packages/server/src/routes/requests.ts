/**
 * Lists open requests of the kernel to its clients, and accepts their answers. Lists and revokes approvals, which allow
 * operations on clients' machines without a dialog (OP-14).
 */
import { ChatParams, type RouteTag } from '@chat-kernel/http';
import {
  ApprovalList,
  Id,
  OpsProgress,
  OpsResult,
  ProgressTaken,
  RequestList,
  ResolvedRequest,
  RevokedApprovals,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'requests',
  description: 'Requests of the kernel to clients, and their answers.',
};

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('POST /v1/chats/:id/ops/result', {
    operationId: 'answerRequest',
    summary: 'Answer a request',
    description:
      'Answers an operation, an extra tool call or a question. The request is found by its id; the chat in the path ' +
      'matters only if several chats have a request with this id.',
    request: { params: ChatParams, body: OpsResult },
    responses: { 200: ResolvedRequest },
    errors: ['invalid_value', 'unknown_request', 'already_resolved'],
    handler: ({ kernel, params, body }) => kernel.operations.answer(params.id, body),
  }),
  defineRoute('POST /v1/chats/:id/ops/progress', {
    operationId: 'showProgress',
    summary: 'Report progress of an operation',
    description:
      'A snapshot replaces the previous one and is not stored. Send at most a few per second. The request is found as for answers.',
    request: { params: ChatParams, body: OpsProgress },
    responses: { 200: ProgressTaken },
    errors: ['unknown_request', 'already_resolved'],
    handler: ({ kernel, params, body }) => kernel.operations.showProgress(params.id, body),
  }),
  defineRoute('GET /v1/requests', {
    operationId: 'listRequests',
    summary: 'List pending requests of all chats',
    description: 'Operations, extra tool calls and questions. Requests end with their turn.',
    request: { query: z.object({ chat_id: Id.optional().describe('Only requests of this chat.') }) },
    responses: { 200: RequestList },
    async handler({ kernel, query, request, others }) {
      const own = kernel.operations.pending(query.chat_id);
      if (!others || others.isOfKernel(request)) return own;
      const lists = await others.askAll<RequestList>(request.url);
      const requests = [own, ...lists].flatMap(list => list.requests);
      return { requests: requests.sort((a, b) => Date.parse(a.opened_at) - Date.parse(b.opened_at)) };
    },
  }),
  defineRoute('GET /v1/approvals', {
    operationId: 'listApprovals',
    summary: 'List approvals',
    description:
      'Operations that run without asking, because one was answered with a decision that also covers later ones.',
    responses: { 200: ApprovalList },
    handler: ({ kernel }) => kernel.operations.approvals(),
  }),
  defineRoute('DELETE /v1/approvals', {
    operationId: 'revokeApprovals',
    summary: 'Revoke all approvals',
    description: 'From now on, the owner is asked before every operation.',
    responses: { 200: RevokedApprovals },
    handler: ({ kernel }) => kernel.operations.revoke(),
  }),
  defineRoute('DELETE /v1/approvals/:id', {
    operationId: 'revokeApproval',
    summary: 'Revoke an approval',
    description: 'From now on, the owner is asked before the operations that it covered.',
    request: { params: z.object({ id: Id }) },
    responses: { 200: RevokedApprovals },
    handler: ({ kernel, params }) => kernel.operations.revoke(params.id),
  }),
];
