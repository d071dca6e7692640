/** The check of the floors, on small trees of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { violations } from '../scripts/layers.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'floors-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function tree(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return violations(root);
}
const needs = (...names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map(name => [name, '1'])) });

it('is content with imports that go down the floors', () => {
  const found = tree({
    'packages/protocol/package.json': needs('zod'),
    'packages/protocol/src/index.ts': "import { z } from 'zod';\nexport * from './a.ts';\n",
    'packages/protocol/src/a.ts': "import { join } from 'node:path';\nimport 'zod/v4/core';\n",
    'packages/storage/package.json': needs('@chat-kernel/kernel', '@chat-kernel/protocol'),
    'packages/storage/src/index.ts':
      "import type { A } from '@chat-kernel/kernel';\n// import x from '@chat-kernel/tools'\n",
  });
  expect(found).toEqual([]);
});

it('names file and line of an import that goes up or sideways', () => {
  const found = tree({
    'packages/kernel/package.json': needs('@chat-kernel/server'),
    'packages/kernel/src/a.ts': "/* two\nlines */\nimport {\n  a,\n} from '@chat-kernel/server';\n",
    'packages/tools/package.json': needs('@chat-kernel/storage'),
    'packages/tools/src/a.ts': "const storage = await import('@chat-kernel/storage');\n",
    'apps/web/package.json': needs('@chat-kernel/kernel'),
    'apps/web/src/a.tsx': "export { a } from '@chat-kernel/kernel';\n",
    'packages/attic/package.json': needs('@chat-kernel/kernel'),
    'packages/attic/src/a.ts': "import '@chat-kernel/kernel';\n",
  });
  expect(found).toEqual([
    'apps/web/src/a.tsx:1: web may not import @chat-kernel/kernel',
    'packages/attic/src/a.ts:1: attic has no floor: add it to scripts/layers.ts',
    'packages/kernel/src/a.ts:3: kernel may not import @chat-kernel/server',
    'packages/tools/src/a.ts:1: tools may not import @chat-kernel/storage',
  ]);
});

it('finds what the package does not declare, and paths that leave the package', () => {
  const found = tree({
    'packages/server/package.json': needs('@scope/known'),
    'packages/server/src/a.ts': "import '@scope/known/part';\nimport { b } from 'unknown/part';\n",
    'packages/server/src/deep/c.ts': "import a from '../a.ts';\nimport d from '../../../kernel/src/d.ts';\n",
  });
  expect(found).toEqual([
    'packages/server/src/a.ts:2: unknown is no dependency of packages/server/package.json',
    'packages/server/src/deep/c.ts:2: ../../../kernel/src/d.ts leaves its package',
  ]);
});

it('finds a circle between files once, types included', () => {
  const found = tree({
    'packages/kernel/package.json': needs(),
    'packages/kernel/src/a.ts': "import { b } from './b.ts';\n",
    'packages/kernel/src/b.ts': "import { c } from './c.ts';\nimport { d } from './d.ts';\n",
    'packages/kernel/src/c.ts': "import type { a } from './a.ts';\n",
    'packages/kernel/src/d.ts': 'export const d = 1;\n',
  });
  const path = ['a', 'b', 'c', 'a'].map(name => `packages/kernel/src/${name}.ts`).join(' → ');
  expect(found).toEqual([`packages/kernel/src/c.ts:1: circle: ${path}`]);
});
