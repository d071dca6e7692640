/**
 * The client as JavaScript with types: a package of its own, for `npm publish`. Not bundled, for whoever uses it has a
 * bundler that takes what is imported; a file for each source, so that a stack and a type lead to the same place.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { clientManifest } from './manifests.ts';

const run = promisify(execFile);
const OPTIONS = 'scripts/build/client.tsconfig.json';
/** Source → place in the package. */
const FILES: Readonly<Record<string, string>> = {
  'packages/client/npm.md': 'README.md',
  'docs/client.md': 'docs/client.md',
  LICENSE: 'LICENSE',
};

/** @throws Error where the compiler refuses the sources */
export async function buildClient(root: string, target: string): Promise<void> {
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, OPTIONS), '--outDir', target], {
    cwd: root,
  });
  for (const file of globSync('**/*.d.ts', { cwd: target })) toJavaScript(join(target, file));
  for (const [from, to] of Object.entries(FILES)) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(root, from), join(target, to));
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(clientManifest(root), null, 2)}\n`);
}

/** The compiler leaves the imports of types as the sources have them, and the sources are not in the package. */
function toJavaScript(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/((?:\bfrom |\bimport\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'));
}
