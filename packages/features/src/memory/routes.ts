/** Serves the entries that are remembered across chats, and proposals of new ones (MEM-1, CONSENT-4). */
import {
  AddMemory,
  Id,
  Memory,
  MemoryEmptied,
  MemoryEntry,
  MemoryForgotten,
  MemoryReviewed,
  PatchMemory,
  ReviewMemory,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { MemoryService } from './service.ts';

const defineRoute = featureRoutes<MemoryService>({
  name: 'memory',
  description: 'Memories shared by all chats.',
});
const MemoryParams = z.object({ id: Id });

export const routes = [
  defineRoute('GET /v1/memory', {
    operationId: 'getMemory',
    summary: 'List memories',
    description:
      'Returns all memories with their size and their token cost in a prompt, and the proposals that wait for the owner.',
    responses: { 200: Memory },
    handler: async ({ service: { memory, proposals } }) => ({
      ...memory.shown(),
      proposals: await proposals.list(),
    }),
  }),
  defineRoute('POST /v1/memory', {
    operationId: 'addMemory',
    summary: 'Add a memory',
    description:
      'Every chat receives it from its next turn on. If the memory is full, the error says what to remove.',
    request: { body: AddMemory },
    responses: { 201: MemoryEntry },
    errors: ['invalid_value'],
    handler: ({ service, body }) => service.memory.add(body.text),
  }),
  defineRoute('POST /v1/memory/review', {
    operationId: 'reviewMemory',
    summary: 'Accept and discard proposals',
    description:
      'Accepts and discards several proposals together, completely or not at all. Every chat receives the accepted ones ' +
      'from its next turn on. Accepting a memory that was already accepted returns it. Discarding an unknown id is ignored.',
    request: { body: ReviewMemory },
    responses: { 200: MemoryReviewed },
    errors: ['invalid_value'],
    handler: ({ service, body }) => service.proposals.review(body),
  }),
  defineRoute('PATCH /v1/memory/:id', {
    operationId: 'patchMemory',
    summary: 'Replace a memory',
    description: 'Later model requests do not contain the old text.',
    request: { params: MemoryParams, body: PatchMemory },
    responses: { 200: MemoryEntry },
    errors: ['invalid_value'],
    handler: ({ service, params, body }) => service.memory.patch(params.id, body.text),
  }),
  defineRoute('DELETE /v1/memory/:id', {
    operationId: 'forgetMemory',
    summary: 'Delete a memory',
    description:
      'Later model requests do not contain it. Existing messages stay unchanged; the response lists messages that ' +
      'still contain it.',
    request: { params: MemoryParams },
    responses: { 200: MemoryForgotten },
    handler: ({ service, params }) => service.memory.forget(params.id),
  }),
  defineRoute('DELETE /v1/memory', {
    operationId: 'forgetAllMemory',
    summary: 'Delete all memories',
    description: 'Works like deleting each memory. Also discards all proposals.',
    responses: { 200: MemoryEmptied },
    handler: ({ service }) => service.memory.forgetAll(),
  }),
];
