/** Keeps a history of the decisions about operations. */
import { defineFeature } from '../feature.ts';
import { DecisionHistory } from './decision-history.ts';
import { routes } from './routes.ts';
import { DecisionStore } from './store.ts';

export const decisions = defineFeature({
  name: 'decisions',
  stores: ({ transactions }) => ({ decisions: new DecisionStore(transactions) }),
  open({ clock, log }, stores) {
    const service = new DecisionHistory({ ...stores, clock, log });
    return {
      service,
      name: 'decisions',
      operationDecided: decided => service.add(decided),
      stop: () => service.stop(),
    };
  },
  routes,
  documentedAfter: 'revokeApproval',
});
