/** Lists past decisions. */
import { Limit } from '@chat-kernel/http';
import { DecisionPage, MAX_DECISIONS } from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { DecisionHistory } from './decision-history.ts';

const defineRoute = featureRoutes<DecisionHistory>();

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/decisions',
    operationId: 'listDecisions',
    summary: 'List past decisions about operations',
    description: `Who decided what, when and in which client, newest first. The last ${MAX_DECISIONS} are kept; those of a deleted chat are deleted with it.`,
    tag: { name: 'decisions', description: 'Past decisions of the owner about operations.' },
    request: {
      query: z.object({
        limit: Limit,
        before: z.string().optional().describe('The id of the last decision of the previous page.'),
      }),
    },
    responses: { 200: DecisionPage },
    errors: ['malformed_cursor'],
    handler: ({ service, query: { limit, before } }) =>
      service.list({ limit, ...(before !== undefined && { before }) }),
  }),
];
