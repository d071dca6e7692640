/** Bundles the client as a bundler ships it to a browser. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { temporaryDirectory } from '../../../test/harness/directory.ts';

const pathOf = (source: string): string => fileURLToPath(new URL(`../../${source}`, import.meta.url));

/**
 * Returns a minified script that assigns these exports of the client, and their dependencies, to the global
 * `kernelClient`.
 */
export const bundled = (...names: string[]): Promise<string> => bundledFrom({ 'client/src/index.ts': names });

/** Does the same with exports of several sources: source in `packages/` → names. */
export async function bundledFrom(exported: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const { path, remove } = temporaryDirectory();
  try {
    const entry = join(path, 'entry.ts');
    const lines = Object.entries(exported).map(
      ([source, names]) => `export { ${names.join(', ')} } from ${JSON.stringify(pathOf(source))};\n`,
    );
    writeFileSync(entry, lines.join(''));
    const output = await build({
      configFile: false,
      root: path,
      logLevel: 'error',
      build: { write: false, minify: true, lib: { entry, formats: ['iife'], name: 'kernelClient' } },
    });
    const [{ output: chunks }] = [output].flat() as [Rollup.RollupOutput];
    return chunks.map(chunk => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
  } finally {
    remove();
  }
}
