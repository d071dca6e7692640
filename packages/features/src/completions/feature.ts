/** Defines completions: calls to a model outside of any chat (API-5). */
import { defineFeature } from '../feature.ts';
import { Completions } from './completions.ts';
import { routes } from './routes.ts';

export const completions = defineFeature({
  name: 'completions',
  // The spend of the kernel contains the cost of each call.
  stores: () => ({}),
  open: host => ({ name: 'completions', service: new Completions(host) }),
  routes,
  documentedAfter: 'listModels',
});
