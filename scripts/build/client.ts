/**
 * Builds the client as JavaScript with types: a separate package for `npm publish`. It is not bundled, because its
 * users have a bundler that includes only what is imported; one file per source, so that stack traces and types lead to
 * the same position. The types of the API are generated from docs/openapi.json, so that it needs neither zod nor the
 * protocol.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { typesOf } from '../../packages/client/scripts/types-of.ts';
import { clientManifest } from './manifests.ts';

const run = promisify(execFile);
const OPTIONS = 'scripts/build/client.tsconfig.json';
/**
 * Compiled sources → folder in the package. Packages above the client import it by its name, which is this same
 * package.
 */
const SOURCES: Readonly<Record<string, string>> = {
  'client/src': '.',
  'protocol/src/tables': 'tables',
  'ai-sdk/src': 'ai-sdk',
  'hands/src/node': 'node',
  // Only what the folder above imports.
  'hands/src/processes': 'processes',
  'hands/src/shell': 'shell',
};
/** Source → path in the package. */
const FILES: Readonly<Record<string, string>> = {
  'packages/client/npm.md': 'README.md',
  'docs/client.md': 'docs/client.md',
  LICENSE: 'LICENSE',
};

/** The tables, by the name of a package that does not exist for users → their file. */
const TABLES = ['@chat-kernel/protocol/tables', 'tables/index.js'] as const;
/** The file of the types that come from the protocol in a checkout. */
const SCHEMAS = 'api/schemas.d.ts';

/** @throws Error if the compiler rejects the sources, or if a built file needs the protocol */
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
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
  writeFileSync(join(target, SCHEMAS), await schemasOf(document));
  for (const file of globSync('**/*.{js,d.ts}', { cwd: target })) fixImports(target, file);
  for (const [from, to] of Object.entries(FILES)) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(root, from), join(target, to));
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(clientManifest(root), null, 2)}\n`);
}

/** Declares each schema of the document under its name. */
async function schemasOf(document: { components: { schemas: object } }): Promise<string> {
  const names = Object.keys(document.components.schemas);
  const types = names.map(name => `export type ${name} = components['schemas']['${name}'];\n`);
  // Only the schemas: without paths, the rest of the types is empty.
  return `${await typesOf({ ...document, paths: {} })}\n${types.join('')}`;
}

/**
 * Makes imports relative and changes their extensions to `.js`: the compiler leaves those of types as in the sources,
 * which the package does not contain.
 */
function fixImports(target: string, file: string): void {
  const [name, place] = TABLES;
  const tables = relative(dirname(file), place);
  const text = readFileSync(join(target, file), 'utf8')
    .replaceAll(`'${name}'`, `'${tables.startsWith('.') ? tables : `./${tables}`}'`)
    .replace(/((?:\bfrom |\bimport\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js');
  if (/['"](?:zod|@chat-kernel\/protocol)/.test(text)) throw new Error(`${file} needs the protocol.`);
  writeFileSync(join(target, file), text);
}
