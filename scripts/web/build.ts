/** Builds the web client next to the old one, and replaces that when the build is complete. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compressAll } from './compress.ts';
import { configOf } from './config.ts';
import { hashOfSources, MODULES, STAMP, wasBuiltOf } from './sources.ts';
import { completeWorker } from './worker.ts';

interface BuildOptions {
  /** Whether to build even if the sources have not changed. */
  fresh?: boolean;
  say?: (line: string) => void;
}

/** Resolves with whether a build was necessary. @param root of the repository */
export async function buildWeb(
  root: string,
  { fresh = false, say = () => {} }: BuildOptions = {},
): Promise<boolean> {
  const hash = hashOfSources(root);
  const place = join(root, 'apps/web/dist');
  if (!fresh && wasBuiltOf(place, hash)) return false;
  const begun = performance.now();
  say('Building the web client, once ...');
  // Load Vite only here, because checking whether a build is necessary must be fast. Tests need the same page that
  // users get, so NODE_ENV must not affect it.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Next to the target, because a rename must not cross file systems.
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
    completeWorker(outDir, hash);
    say('Compressing ...');
    await compressAll(outDir);
    writeFileSync(join(outDir, STAMP), hash);
    // Another process may have built the same page in the meantime.
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
