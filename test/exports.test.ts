/** The check for exports that nobody needs, on small trees of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { needlessExports } from '../scripts/exports.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'exports-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const MANIFEST = JSON.stringify({ name: '@chat-kernel/a', exports: { '.': './src/index.ts' } });

/** The needless exports of a package with these files in its src, and with a script. */
function needlessIn(files: Record<string, string>, script = ''): string[] {
  const tree = {
    'packages/a/package.json': MANIFEST,
    'scripts/use.ts': script,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`packages/a/src/${name}`, text])),
  };
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return needlessExports(root);
}

it('finds what no other file imports, also where its own file uses it', () => {
  const found = needlessIn({ 'one.ts': '\nexport const lonely = 1;\nexport type Kind = typeof lonely;\n' });
  expect(found).toEqual([
    'packages/a/src/one.ts:2: lonely is exported, and no other file imports it',
    'packages/a/src/one.ts:3: Kind is exported, and no other file imports it',
  ]);
});

it('is content with what is imported by name, as a whole, at run time, or for its type', () => {
  const files = {
    'index.ts': '',
    'name.ts': 'export const name = 1;',
    'whole.ts': 'export const whole = 1; export default 2;',
    'late.ts': 'export const late = 1;',
    'type.ts': 'export interface Shape { size: number }',
    'use.ts':
      "import { name as renamed } from './name.ts';\nimport * as all from './whole.ts';\n" +
      "import type { Shape } from './type.ts';\nconst { late } = await import('./late.ts');\n",
  };
  expect(needlessIn(files)).toEqual([]);
});

it('follows what is passed on to where it is needed', () => {
  const files = {
    'index.ts': "export { offered } from './one.ts';\nexport * from './all.ts';\n",
    'one.ts': 'export const offered = 1;\nexport const kept = 2;\n',
    'all.ts': 'export const everything = 1;\n',
    'pass.ts': "export * from './deep.ts';\nexport { other } from './deep.ts';\n",
    'deep.ts': 'export const wanted = 1;\nexport const other = 2;\nexport const unwanted = 3;\n',
  };
  const script =
    "import { wanted } from '../packages/a/src/pass.ts';\nimport { offered } from '@chat-kernel/a';\n";
  expect(needlessIn(files, script)).toEqual([
    'packages/a/src/deep.ts:2: other is exported, and no other file imports it',
    'packages/a/src/deep.ts:3: unwanted is exported, and no other file imports it',
    'packages/a/src/one.ts:2: kept is exported, and no other file imports it',
    'packages/a/src/pass.ts:2: other is exported, and no other file imports it',
  ]);
});
