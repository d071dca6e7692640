/**
 * Checks the architecture: which package may import which, which folder may import which inside a package, no import
 * that leaves its package by a path, no cycle between files, and no undeclared dependencies.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { circlesOfFiles } from './layers/circles.ts';
import { LAYERS, type Layers, wrongFolders } from './layers/folders.ts';
import { filesIn, importsOf } from './layers/imports.ts';
import { wrongPackages } from './layers/packages.ts';

const PACKAGES = ['packages/*', 'apps/*', 'modules/*', 'examples/modules/*'];

/** Returns every violation as `file:line: sentence`, files relative to the root. Empty: there are no violations. */
export function violations(root: string, layers: Layers = LAYERS): string[] {
  return packagesIn(root).flatMap(folder => {
    const sources = filesIn(root, [`${folder}/src/**/*.{ts,tsx}`]);
    // An example is so small that it has no src, and thus no folders.
    const imports = [...sources, ...filesIn(root, [`${folder}/*.ts`])].flatMap(file => importsOf(root, file));
    return [
      ...wrongPackages(root, folder, imports),
      ...(sources.length > 0
        ? wrongFolders(folder, sources, imports, layers[folder] ?? layers[basename(folder)] ?? [])
        : []),
      ...circlesOfFiles(imports),
    ];
  });
}

/** The folders that contain a package, sorted. */
export function packagesIn(root: string): string[] {
  return globSync(PACKAGES, { cwd: root })
    .filter(folder => existsSync(join(root, folder, 'package.json')))
    .sort();
}

if (import.meta.main) {
  const found = violations(resolve(import.meta.dirname, '..'));
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
