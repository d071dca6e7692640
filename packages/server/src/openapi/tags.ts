/** Collects the tags of the document, which group its operations, in the order of the routes. */
import type { RouteTag } from '@chat-kernel/http';
import type { Route } from '../http/route.ts';

/** @throws Error if two tags share a name: routes of one group must share one object */
export function collectTags(routes: readonly Route[]): RouteTag[] {
  const tags = [...new Set(routes.filter(({ hidden }) => !hidden).map(({ tag }) => tag))];
  for (const [index, { name }] of tags.entries()) {
    const first = tags.findIndex(tag => tag.name === name);
    if (first !== index)
      throw new Error(`Two tags are named ${name}. Import the tag instead of defining it again.`);
  }
  return tags;
}
