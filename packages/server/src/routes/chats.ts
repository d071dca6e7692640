/** Creates, lists, changes and deletes chats; serves their spend and their plan. */
import { ChatParams, chatsTag, Limit, Switch } from '@chat-kernel/http';
import {
  Chat,
  ChatPage,
  CompactResult,
  CreateChat,
  DeletedChat,
  EffortSetting,
  Id,
  PatchChat,
  Plan,
  SetEffort,
  SetModel,
  SetWorkdir,
  Spend,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf(chatsTag);

export const routes = [
  defineRoute('POST /v1/chats', {
    operationId: 'createChat',
    summary: 'Create a chat',
    description: 'All fields are optional. `{}` creates a chat with the defaults of the settings.',
    request: { body: CreateChat },
    responses: { 201: Chat },
    errors: ['invalid_value', 'unknown_model', 'shutting_down'],
    handler: ({ kernel, body }) => kernel.chats.create(body),
  }),
  defineRoute('GET /v1/chats', {
    operationId: 'listChats',
    summary: 'List chats, newest first',
    description: 'Sorted by creation time. An empty page is the end.',
    request: {
      query: z.object({
        limit: Limit,
        before: Id.optional().describe('A chat id. Only older chats are returned.'),
        shelf: z.string().optional().describe('Only chats of this shelf.'),
        project: z.string().optional().describe('Only chats of this project.'),
        q: z.string().optional().describe('Part of the title, ignoring case.'),
      }),
    },
    responses: { 200: ChatPage },
    errors: ['unknown_cursor'],
    handler: ({ kernel, query }) => kernel.chats.list(query),
  }),
  defineRoute('GET /v1/chats/:id', {
    operationId: 'getChat',
    summary: 'Get a chat',
    description: 'Returns settings, title, summary and times, but not the messages.',
    request: { params: ChatParams },
    responses: { 200: Chat },
    handler: ({ kernel, params }) => kernel.chats.get(params.id),
  }),
  defineRoute('PATCH /v1/chats/:id', {
    operationId: 'patchChat',
    summary: 'Change a chat',
    description: 'Absent fields stay unchanged; null clears a field.',
    request: { params: ChatParams, body: PatchChat },
    responses: { 200: Chat },
    errors: ['invalid_value', 'unknown_model', 'turn_running'],
    handler: ({ kernel, params, body }) => kernel.chats.patch(params.id, body),
  }),
  defineRoute('DELETE /v1/chats/:id', {
    operationId: 'deleteChat',
    summary: 'Delete a chat',
    description:
      'Also deletes its messages, spend, approvals, and files that no other chat uses. While a turn runs, this requires force=true.',
    request: {
      params: ChatParams,
      query: z.object({ force: Switch.describe('Cancel a running turn first.') }),
    },
    responses: { 200: DeletedChat },
    errors: ['turn_running'],
    handler: ({ kernel, params, query }) => kernel.chats.delete(params.id, { force: query.force }),
  }),
  defineRoute('PUT /v1/chats/:id/workdir', {
    operationId: 'setWorkdir',
    summary: 'Set or clear the working directory',
    description: 'The directory is on the machine named by `workdir_on`. Null clears it.',
    request: { params: ChatParams, body: SetWorkdir },
    responses: { 200: Chat },
    errors: ['invalid_value'],
    handler: ({ kernel, params, body }) => kernel.chats.patch(params.id, body),
  }),
  defineRoute('PUT /v1/chats/:id/effort', {
    operationId: 'setEffort',
    summary: 'Set or clear the reasoning level',
    description: 'Applies from the next turn on, unless the turn request overrides it.',
    request: { params: ChatParams, body: SetEffort },
    responses: { 200: EffortSetting },
    handler: async ({ kernel, params, body }) => {
      const { effort } = await kernel.chats.patch(params.id, { effort: body.level });
      return { effort };
    },
  }),
  defineRoute('PUT /v1/chats/:id/model', {
    operationId: 'setModel',
    summary: 'Set or clear the model',
    description: 'Applies from the next turn on, unless the turn request overrides it.',
    request: { params: ChatParams, body: SetModel },
    responses: { 200: Chat },
    errors: ['unknown_model'],
    handler: ({ kernel, params, body }) => kernel.chats.patch(params.id, body),
  }),
  defineRoute('POST /v1/chats/:id/compact', {
    operationId: 'compactChat',
    summary: 'Compact the history now',
    description:
      'Older messages are replaced by a summary in the model context. The stored history stays complete for reading, search and export.',
    request: { params: ChatParams },
    responses: { 200: CompactResult },
    errors: ['turn_running', 'upstream_error', 'shutting_down'],
    handler: ({ kernel, params }) => kernel.history.compact(params.id),
  }),
  defineRoute('GET /v1/chats/:id/spend', {
    operationId: 'getSpend',
    summary: 'Get usage and cost of a chat',
    description:
      'Tokens and cost, by model. A cost is null if the price of a model is unknown. If the settings limit spending, `caps` shows the state of each limit.',
    request: { params: ChatParams },
    responses: { 200: Spend },
    handler: ({ kernel, params }) => kernel.chats.spend(params.id),
  }),
  defineRoute('GET /v1/chats/:id/plan', {
    operationId: 'getPlan',
    summary: 'Get the current plan',
    description: 'The tasks as the model wrote them last. Empty if there is no plan.',
    request: { params: ChatParams },
    responses: { 200: Plan },
    handler: ({ kernel, params }) => kernel.chats.plan(params.id),
  }),
  defineRoute('DELETE /v1/chats/:id/plan', {
    operationId: 'erasePlan',
    summary: 'Clear the plan',
    description: 'Returns the empty plan. A running turn reports the change in its stream.',
    request: { params: ChatParams },
    responses: { 200: Plan },
    handler: ({ kernel, params }) => kernel.chats.erasePlan(params.id),
  }),
];
