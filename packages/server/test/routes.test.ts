/** The list of routes is whole: what lies in its folder is served, and its groups are described once. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Route } from '../src/http/route.ts';
import { tagsOf } from '../src/openapi/tags.ts';
import { ROUTES } from '../src/routes/index.ts';

const FOLDER = join(import.meta.dirname, '../src/routes');

it.each(readdirSync(FOLDER).filter(file => file !== 'index.ts'))('routes/index.ts lists %s', async file => {
  const { routes } = (await import(join(FOLDER, file))) as { routes: Route[] };
  expect(routes.length).toBeGreaterThan(0);
  for (const route of routes) expect(ROUTES).toContain(route);
});

it('a tag that two files describe is refused', () => {
  const [first] = ROUTES;
  const again = { ...first!, tag: { ...first!.tag } };
  expect(() => tagsOf([...ROUTES, again])).toThrow(`There are two tags named ${first!.tag.name}`);
});
