/** Builds the web client next to the old one, and replaces that when the build is complete. */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig, Plugin } from 'vite';
import { ADDRESSES, RESERVED } from '../../apps/web/src/nav/pages.ts';
import { hashOfSources, MODULES, STAMP, wasBuiltOf } from './sources.ts';

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

const COMPRESSIBLE = '**/*.{js,css,svg,webmanifest}';
/** The highest quality takes several seconds for larger files, and saves a tenth. */
const LARGE = 1_000_000;

/** Compresses built files once, so that the server does not compress them for each request. */
async function compressAll(folder: string): Promise<void> {
  await Promise.all(
    globSync(COMPRESSIBLE, { cwd: folder }).map(async file => {
      const path = join(folder, file);
      const bytes = await readFile(path);
      const quality = bytes.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY;
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}

/** All addresses are relative, so that the page works under any path. @param modules receives the bundled files of other packages */
const configOf = (root: string, outDir: string, modules: Set<string>): InlineConfig => ({
  root: join(root, 'apps/web'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  plugins: [noting(modules)],
  worker: { format: 'es', plugins: () => [noting(modules)] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy of the page blocks inlined assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});

const noting = (modules: Set<string>): Plugin => ({
  name: 'modules',
  moduleParsed({ id }) {
    const file = id.split('?', 1)[0] as string;
    if (file.startsWith('/') && file.includes('/node_modules/')) modules.add(file);
  },
});

/**
 * Completes the service worker with the facts that only the build has, so that it can cache the whole page.
 * @param folder of the built page
 * @param hash of its sources: each build is another worker, so that browsers install it
 */
function completeWorker(folder: string, hash: string): void {
  const file = join(folder, 'service-worker.js');
  const build = {
    id: hash.slice(0, 16),
    // Mermaid is larger than everything else together, and is cached with the first diagram.
    assets: globSync('assets/*.{js,css}', { cwd: folder })
      .filter(name => !name.startsWith('assets/mermaid'))
      .sort(),
    addresses: ADDRESSES,
    reserved: RESERVED,
  };
  writeFileSync(file, `const BUILD = ${JSON.stringify(build)};\n${readFileSync(file, 'utf8')}`);
}
