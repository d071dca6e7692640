/** Defines titles: a model names a chat after its first turn. */
import { defineFeature } from '../feature.ts';
import { Titles } from './titles.ts';

export const titles = defineFeature({
  name: 'titles',
  open(host) {
    const service = new Titles(host);
    return {
      service,
      turnCompleted: turn => service.turnCompleted(turn),
      chatNamed: id => service.named(id),
      chatDeleting: id => service.forget(id),
      stop: () => service.stop(),
    };
  },
  routes: [],
});
