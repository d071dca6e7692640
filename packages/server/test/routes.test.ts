/**
 * Checks that the list of routes is complete: every file in its folder is served, and its groups are described once.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Route } from '../src/http/route.ts';
import { collectTags } from '../src/openapi/document.ts';
import { ROUTES } from '../src/routes/index.ts';

const FOLDER = join(import.meta.dirname, '../src/routes');

it.each(readdirSync(FOLDER).filter(file => file !== 'index.ts'))('routes/index.ts lists %s', async file => {
  const { routes } = (await import(join(FOLDER, file))) as { routes: Route[] };
  expect(routes.length).toBeGreaterThan(0);
  for (const route of routes) expect(ROUTES).toContain(route);
});

it('rejects a tag that two files describe', () => {
  const [first] = ROUTES;
  const again = { ...first!, tag: { ...first!.tag } };
  expect(() => collectTags([...ROUTES, again])).toThrow(`Two tags are named ${first!.tag.name}`);
});
