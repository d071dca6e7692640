/** What is remembered across chats (MEM-1). */
import {
  AddMemory,
  Id,
  Memory,
  MemoryEmptied,
  MemoryEntry,
  MemoryForgotten,
  PatchMemory,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'memory', description: 'What is remembered across chats.' };
const MemoryParams = z.object({ id: Id });

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/memory',
    operationId: 'getMemory',
    summary: 'Read what is remembered',
    description: 'All of it, with its size and what it costs to tell a model.',
    tag,
    responses: { 200: Memory },
    handler: async ({ kernel }) => kernel.memory.shown(),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memory',
    operationId: 'addMemory',
    summary: 'Remember something',
    description:
      'Every chat is told it from its next turn on. Where there is no room, the error says what to remove.',
    tag,
    request: { body: AddMemory },
    responses: { 201: MemoryEntry },
    errors: ['invalid_value'],
    handler: ({ kernel, body }) => kernel.memory.add(body.text),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/memory/:id',
    operationId: 'patchMemory',
    summary: 'Remember something else in its place',
    description: 'The text that was there is told in no later request to a model.',
    tag,
    request: { params: MemoryParams, body: PatchMemory },
    responses: { 200: MemoryEntry },
    errors: ['invalid_value'],
    handler: ({ kernel, params, body }) => kernel.memory.patch(params.id, body.text),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memory/:id',
    operationId: 'forgetMemory',
    summary: 'Forget something',
    description:
      'It is told in no later request to a model, of no chat. Old messages stay as they are: the answer says where it ' +
      'still stands.',
    tag,
    request: { params: MemoryParams },
    responses: { 200: MemoryForgotten },
    handler: ({ kernel, params }) => kernel.memory.forget(params.id),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memory',
    operationId: 'forgetAllMemory',
    summary: 'Forget everything',
    description: 'As for each entry.',
    tag,
    responses: { 200: MemoryEmptied },
    handler: ({ kernel }) => kernel.memory.forgetAll(),
  }),
];
