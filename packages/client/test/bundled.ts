/** The client as a bundler ships it to a browser. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { temporaryDirectory } from '../../../test/harness/directory.ts';

const CLIENT = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** A minified script that puts these exports of the client, and what they need, into the global `kernelClient`. */
export async function bundled(...names: string[]): Promise<string> {
  const { path, remove } = temporaryDirectory();
  try {
    const entry = join(path, 'entry.ts');
    writeFileSync(entry, `export { ${names.join(', ')} } from ${JSON.stringify(CLIENT)};`);
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
