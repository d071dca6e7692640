/** Tests the architecture check on small trees. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Layers } from '../scripts/layers/folders.ts';
import { violations } from '../scripts/layers.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'layers-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A layer of files for each package; in the server a folder is above it. */
const FILES = ['*.ts'];
const FLAT: Layers = {
  attic: FILES,
  kernel: FILES,
  protocol: FILES,
  server: [...FILES, 'deep'],
  storage: FILES,
  tools: FILES,
  web: FILES,
};

/** Returns the violations of a tree with these files. @param layers of its packages */
function tree(files: Record<string, string>, layers: Layers = FLAT): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return violations(root, layers);
}
const needs = (...names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map(name => [name, '1'])) });

it('accepts imports that go down the layers', () => {
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
    'packages/attic/src/a.ts:1: attic is not listed: add it to scripts/layers/packages.ts',
    'packages/kernel/src/a.ts:3: kernel may not import @chat-kernel/server',
    'packages/tools/src/a.ts:1: tools may not import @chat-kernel/storage',
  ]);
});

it('finds undeclared packages, and paths that leave the package', () => {
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

it('finds a cycle between files once, types included', () => {
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

describe('inside a package', () => {
  const manifest = { 'packages/kernel/package.json': needs() };
  const source = (path: string, ...targets: string[]) => ({
    [`packages/kernel/src/${path}`]: targets.map(target => `import '${target}';\n`).join(''),
  });
  const LAYERS = { kernel: ['base', 'left right', '*.ts', 'index.ts'] };
  const sound = {
    ...manifest,
    ...source('base/a.ts', './b.ts'),
    ...source('base/b.ts'),
    ...source('left/deep/a.ts', '../b.ts', '../../base/a.ts'),
    ...source('left/b.ts'),
    ...source('right/a.ts', '../base/b.ts'),
    ...source('kernel.ts', './other.ts', './left/b.ts'),
    ...source('other.ts', './right/a.ts'),
    ...source('index.ts', './kernel.ts', './base/a.ts'),
  };

  it('accepts folders and root files that import lower ones', () => {
    expect(tree(sound, LAYERS)).toEqual([]);
  });

  it('rejects an import of a higher or adjacent folder, types included', () => {
    const files = {
      ...sound,
      'packages/kernel/src/base/b.ts': "\nimport type { A } from '../left/b.ts';\n",
      ...source('right/a.ts', '../left/b.ts'),
      ...source('kernel.ts', './index.ts'),
      ...source('index.ts'),
    };
    expect(tree(files, LAYERS)).toEqual([
      'packages/kernel/src/base/b.ts:2: base may not import left, which stands above it',
      'packages/kernel/src/kernel.ts:1: *.ts may not import index.ts, which stands above it',
      'packages/kernel/src/right/a.ts:1: right may not import left, which stands beside it',
    ]);
  });

  it('rejects a cycle of folders whatever the order of the layers', () => {
    const circle = {
      ...manifest,
      ...source('x/a.ts', '../y/b.ts'),
      ...source('x/b.ts'),
      ...source('y/a.ts', '../x/b.ts'),
      ...source('y/b.ts'),
    };
    for (const layers of [['x', 'y'], ['y', 'x'], ['x y']]) {
      expect(tree(circle, { kernel: layers })).not.toEqual([]);
    }
  });

  it('rejects a package without listed layers', () => {
    expect(tree({ ...manifest, ...source('base/a.ts') }, {})).toEqual([
      'packages/kernel/src/base: no layer has it: add it to scripts/layers/folders.ts',
    ]);
  });

  it('names a folder and a root file without a layer, and a layer without files', () => {
    const files = { ...sound, ...source('new/a.ts'), ...source('loose.ts') };
    expect(tree(files, { kernel: ['base', 'left right gone', 'kernel.ts other.ts', 'index.ts'] })).toEqual([
      'packages/kernel/src/loose.ts: no layer has it: add it to scripts/layers/folders.ts',
      'packages/kernel/src/new: no layer has it: add it to scripts/layers/folders.ts',
      'packages/kernel/src/gone: a layer names it, and it is not there: scripts/layers/folders.ts',
      'packages/kernel/src/kernel.ts:1: kernel.ts may not import other.ts, which stands beside it',
    ]);
  });
});

it('lets folders in the same wildcard layer not import each other, without listing them', () => {
  const layers: Layers = { ...FLAT, kernel: ['a.ts', '*', 'b.ts'] };
  const found = tree(
    {
      'packages/kernel/package.json': needs(),
      'packages/kernel/src/a.ts': '',
      'packages/kernel/src/one/one.ts': "import '../a.ts';\nimport '../two/two.ts';\n",
      'packages/kernel/src/two/two.ts': "import '../b.ts';\n",
      'packages/kernel/src/b.ts': "import './a.ts';\n",
    },
    layers,
  );
  expect(found).toEqual([
    'packages/kernel/src/one/one.ts:2: one may not import two, which stands beside it',
    'packages/kernel/src/two/two.ts:1: two may not import b.ts, which stands above it',
  ]);
});
