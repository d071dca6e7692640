/** Serves statistics of the kernel and of triage (API-2, API-3), and the tools that models may call (API-4). */
import type { RouteTag } from '@chat-kernel/http';
import { SpendReport, SpendReportBy, Stats, ToolList, Triage, TriageReport } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf({ name: 'stats', description: 'Statistics of the kernel.' });
const toolsTag: RouteTag = { name: 'tools', description: 'Tools that models can call.' };

export const routes = [
  defineRoute('GET /v1/stats', {
    operationId: 'getStats',
    summary: 'Get statistics',
    description: 'Covers all existing chats and all one-off calls. A cost is null if part of it is unknown.',
    responses: { 200: Stats },
    handler: async ({ kernel, version }) => ({ version, ...(await kernel.service.statistics.read()) }),
  }),
  defineRoute('GET /v1/spend', {
    operationId: 'getSpendReport',
    summary: 'Get spending by day, model or surface',
    description:
      'Covers the last days, including calls outside of chats and deleted chats. A cost is null if part of it is unknown.',
    request: {
      query: z.object({
        days: z.coerce
          .number()
          .int()
          .min(1)
          .max(366)
          .default(30)
          .describe('The number of days, including today.'),
        by: SpendReportBy.default('day').describe('The grouping of the rows.'),
      }),
    },
    responses: { 200: SpendReport },
    handler: ({ kernel, query }) => kernel.service.statistics.spend(query.days, query.by),
  }),
  defineRoute('POST /v1/stats/triage', {
    operationId: 'reportTriage',
    summary: 'Report triage outcomes',
    description: 'Returns the totals.',
    request: { body: TriageReport },
    responses: { 200: Triage },
    errors: ['invalid_value'],
    handler: ({ kernel, body }) => kernel.service.statistics.addTriage(body),
  }),
  routesOf(toolsTag)('GET /v1/tools', {
    operationId: 'listTools',
    summary: 'List tools',
    description:
      'Names, descriptions and schemas exactly as models get them. Tools that the settings disable are not listed.',
    responses: { 200: ToolList },
    handler: ({ kernel }) => kernel.service.tools(),
  }),
];
