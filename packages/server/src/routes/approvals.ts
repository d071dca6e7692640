/** Lists and revokes approvals, which allow operations on clients' machines without a dialog (OP-14). */
import { ApprovalList, Id, RevokedApprovals } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { tag } from './requests.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/approvals',
    operationId: 'listApprovals',
    summary: 'List approvals',
    description:
      'Operations that run without asking, because one was answered with a decision that also covers later ones.',
    tag,
    responses: { 200: ApprovalList },
    handler: ({ kernel }) => kernel.operations.approvals(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/approvals',
    operationId: 'revokeApprovals',
    summary: 'Revoke all approvals',
    description: 'From now on, the owner is asked before every operation.',
    tag,
    responses: { 200: RevokedApprovals },
    handler: ({ kernel }) => kernel.operations.revoke(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/approvals/:id',
    operationId: 'revokeApproval',
    summary: 'Revoke an approval',
    description: 'From now on, the owner is asked before the operations that it covered.',
    tag,
    request: { params: z.object({ id: Id }) },
    responses: { 200: RevokedApprovals },
    handler: ({ kernel, params }) => kernel.operations.revoke(params.id),
  }),
];
