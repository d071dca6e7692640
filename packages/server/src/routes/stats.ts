/** Statistics of the kernel and of triage (API-2, API-3). */
import { Stats, Triage, TriageReport } from '@chat-kernel/protocol';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'stats', description: 'What the kernel has done so far.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/stats',
    operationId: 'getStats',
    summary: 'Read what the kernel has done so far',
    description:
      'Of the chats that there are, and of all one-off calls. A cost is null as soon as a part of it is unknown.',
    tag,
    responses: { 200: Stats },
    handler: async ({ kernel, version }) => ({ version, ...(await kernel.statistics.read()) }),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/stats/triage',
    operationId: 'reportTriage',
    summary: 'Report what became of messages that a judge engaged',
    description: 'Answers the totals.',
    tag,
    request: { body: TriageReport },
    responses: { 200: Triage },
    errors: ['invalid_value'],
    handler: ({ kernel, body }) => kernel.statistics.addTriage(body),
  }),
];
