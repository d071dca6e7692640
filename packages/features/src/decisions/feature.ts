/** Keeps a history of the decisions about operations. */
import { Limit } from '@chat-kernel/http';
import { DecisionPage, MAX_DECISIONS } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineFeature, featureRoutes } from '../feature.ts';
import { DecisionHistory } from './decision-history.ts';
import { DecisionStore } from './store.ts';

const defineRoute = featureRoutes<DecisionHistory>({
  name: 'decisions',
  description: 'Past decisions of the owner about operations.',
});

/** Lists past decisions. */
const routes = [
  defineRoute('GET /v1/decisions', {
    operationId: 'listDecisions',
    summary: 'List past decisions about operations',
    description: `Who decided what, when and in which client, newest first. The last ${MAX_DECISIONS} are kept; those of a deleted chat are deleted with it.`,
    request: {
      query: z.object({
        limit: Limit,
        before: z.string().optional().describe('The id of the last decision of the previous page.'),
      }),
    },
    responses: { 200: DecisionPage },
    errors: ['malformed_cursor'],
    handler: ({ service, query }) => service.list(query),
  }),
];

export const decisions = defineFeature({
  name: 'decisions',
  stores: ({ transactions }) => ({ decisions: new DecisionStore(transactions) }),
  open({ clock, log }, stores) {
    const service = new DecisionHistory({ ...stores, clock, log });
    return {
      service,
      operationDecided: decided => service.add(decided),
      stop: () => service.stop(),
    };
  },
  routes,
  documentedAfter: 'revokeApproval',
});
