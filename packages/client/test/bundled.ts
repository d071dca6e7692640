/** The client as a bundler ships it to a browser. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { temporaryDirectory } from '../../../test/harness/directory.ts';

const pathOf = (source: string): string => fileURLToPath(new URL(`../src/${source}`, import.meta.url));

/** A minified script that puts these exports of the client, and what they need, into the global `kernelClient`. */
export const bundled = (...names: string[]): Promise<string> => bundledFrom({ 'index.ts': names });

/** The same with exports of several sources: source in `src` → names. */
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
