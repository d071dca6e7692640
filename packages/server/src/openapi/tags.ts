/** The tags of the document, which group its operations: those of the routes, in the order of the routes. */
import type { Route, RouteTag } from '../http/route.ts';

/** @throws Error where two tags share a name: routes of one group share one object */
export function tagsOf(routes: readonly Route[]): RouteTag[] {
  const tags = [...new Set(routes.filter(({ hidden }) => !hidden).map(({ tag }) => tag))];
  for (const [index, { name }] of tags.entries()) {
    const first = tags.findIndex(tag => tag.name === name);
    if (first !== index)
      throw new Error(`There are two tags named ${name}: let one file import the other's.`);
  }
  return tags;
}
