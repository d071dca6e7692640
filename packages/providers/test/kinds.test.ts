/** Checks the list of provider kinds against the page that names them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS } from '../src/kinds/index.ts';

test('the README names each provider kind, and no other', () => {
  const page = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, kinds = ''] = /\nKinds: (.*?)\. All settings/s.exec(page) ?? [];
  const named = [...kinds.matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind);
  expect(named.sort()).toEqual([...Object.keys(KINDS), 'demo'].sort());
});
