/** The web client, built beside the old one and put in its place when it is whole. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compressAll } from './compress.ts';
import { configOf } from './config.ts';
import { hashOfSources, MODULES, STAMP, wasBuiltOf } from './sources.ts';

interface BuildOptions {
  /** Build also what is built already. */
  fresh?: boolean;
  say?: (line: string) => void;
}

/** Resolves with whether there was anything to build. @param root of the repository */
export async function buildWeb(
  root: string,
  { fresh = false, say = () => {} }: BuildOptions = {},
): Promise<boolean> {
  const hash = hashOfSources(root);
  const place = join(root, 'apps/web/dist');
  if (!fresh && wasBuiltOf(place, hash)) return false;
  const begun = performance.now();
  say('Building the web client, once ...');
  // Loaded only here: to see that nothing is to be done takes a moment.
  // Whoever is testing wants the page that everybody gets.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Beside the place itself, for a rename must not leave the disk.
  const outDir = join(root, 'apps/web', `.dist-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  try {
    const modules = new Set<string>();
    await build(configOf(root, outDir, modules));
    writeFileSync(
      join(outDir, MODULES),
      [...modules]
        .map(file => relative(root, file))
        .sort()
        .join('\n'),
    );
    say('Compressing ...');
    await compressAll(outDir);
    writeFileSync(join(outDir, STAMP), hash);
    // Somebody else may have built the same meanwhile.
    if (!wasBuiltOf(place, hash)) {
      rmSync(place, { recursive: true, force: true });
      renameSync(outDir, place);
    }
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    rmSync(outDir, { recursive: true, force: true });
  }
  say(`The web client is built (${((performance.now() - begun) / 1000).toFixed(1)} s).`);
  return true;
}
