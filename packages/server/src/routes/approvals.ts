/** Approvals, which let operations on clients' machines run without a dialog: listed and revoked (OP-14). */
import { ApprovalList, Id, RevokedApprovals } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { tag } from './requests.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/approvals',
    operationId: 'listApprovals',
    summary: 'List the operations that need no dialog any more',
    description: 'Given by answering an operation with allow_session or allow_always.',
    tag,
    responses: { 200: ApprovalList },
    handler: ({ kernel }) => kernel.operations.approvals(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/approvals',
    operationId: 'revokeApprovals',
    summary: 'Take all of them back',
    description: 'From now on the owner is asked before every operation again.',
    tag,
    responses: { 200: RevokedApprovals },
    handler: ({ kernel }) => kernel.operations.revoke(),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/approvals/:id',
    operationId: 'revokeApproval',
    summary: 'Take one of them back',
    description: 'From now on the owner is asked before the operations that it covered.',
    tag,
    request: { params: z.object({ id: Id }) },
    responses: { 200: RevokedApprovals },
    handler: ({ kernel, params }) => kernel.operations.revoke(params.id),
  }),
];
