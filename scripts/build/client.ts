/**
 * Builds the client as JavaScript with types: a separate package for `npm publish`. It is not bundled, because its
 * users have a bundler that includes only what is imported; one file per source, so that stack traces and types lead to
 * the same position.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { clientManifest } from './manifests.ts';

const run = promisify(execFile);
const OPTIONS = 'scripts/build/client.tsconfig.json';
/**
 * Compiled sources → folder in the package. Packages above the client import it by its name, which is this same
 * package.
 */
const SOURCES: Readonly<Record<string, string>> = {
  'client/src': '.',
  'ai-sdk/src': 'ai-sdk',
  'hands/src/node': 'node',
  // Only what the folder above imports.
  'hands/src/shell': 'shell',
};
/** Source → path in the package. */
const FILES: Readonly<Record<string, string>> = {
  'packages/client/npm.md': 'README.md',
  'docs/client.md': 'docs/client.md',
  LICENSE: 'LICENSE',
};

/** @throws Error if the compiler rejects the sources */
export async function buildClient(root: string, target: string): Promise<void> {
  const compiled = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, OPTIONS), '--outDir', compiled], {
      cwd: root,
    });
    for (const [from, to] of Object.entries(SOURCES))
      cpSync(join(compiled, from), join(target, to), { recursive: true });
  } finally {
    rmSync(compiled, { recursive: true });
  }
  for (const file of globSync('**/*.d.ts', { cwd: target })) toJavaScript(join(target, file));
  for (const [from, to] of Object.entries(FILES)) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(root, from), join(target, to));
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(clientManifest(root), null, 2)}\n`);
}

/**
 * Changes the extensions of imports to `.js`: the compiler leaves those of types as in the sources, which the package
 * does not contain.
 */
function toJavaScript(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/((?:\bfrom |\bimport\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'));
}
