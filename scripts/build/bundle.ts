/**
 * Bundles the code: the program, its process for books, its thread for SQLite, the SDK for modules, and the modules
 * that ship, each with its lazily loaded parts in separate files.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { refusePlaces } from './places.ts';

/**
 * Name → source. The chunks are two folders deep, as a source is in its package, so that `../..` leads to the root of
 * the package from both.
 */
const ENTRIES = {
  'bin/chat-kernel': 'apps/cli/bin/chat-kernel.js',
  'lib/chunks/reader': 'packages/features/src/books/reader.ts',
  'lib/checkpoints': 'packages/storage/src/checkpoints.ts',
  'module-sdk/index': 'packages/module-sdk/src/index.ts',
  'module-sdk/surface': 'packages/module-sdk/src/surface/index.ts',
  'modules/web/page-process': 'modules/web/src/page/page-process.ts',
};
const PROGRAM = 'bin/chat-kernel.js';
/** The sources that it loads sequentially before it serves. */
const BEGINS = ['apps/cli/src/main.ts', 'packages/server/src/serve.ts', 'packages/server/src/compose.ts'];

/** Packages that are not bundled: native code for one machine, and optional dependencies of other packages. */
export const NATIVE = ['sharp'];
const ABSENT = ['pg-native', 'react-devtools-core'];

interface Bundle {
  /** Absolute paths of all sources, sorted. */
  modules: string[];
  /** The files that `chat-kernel serve` loads before it listens. */
  begins: string[];
}

/**
 * @param more entries besides those that ship
 * @throws Error for a warning of the bundler, and for an unknown source that finds files relative to its own path
 */
export async function bundle(
  root: string,
  target: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Bundle> {
  const warnings: string[] = [];
  const build = await rolldown({
    cwd: root,
    input: absolute(root, { ...ENTRIES, ...modulesIn(root), ...more }),
    platform: 'node',
    external: [...NATIVE, ...ABSENT],
    plugins: [refusePlaces(root), importAtOnce, asciiOnly],
    onLog(level, { message }) {
      if (level === 'warn') warnings.push(message);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'lib/chunks/[name].js',
    // Keep names, for stack traces in the log and code that reads class names; remove comments and whitespace.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await build.close();
  if (warnings.length > 0) throw new Error(`the bundler warns:\n${warnings.join('\n')}`);
  const chunks = output.filter(each => each.type === 'chunk');
  return {
    modules: [...new Set(chunks.flatMap(({ modules }) => Object.keys(modules)))].sort(),
    begins: withImports(chunks, [PROGRAM, ...BEGINS.map(source => nameOf(chunks, source))]),
  };
}

/** The programs of the modules that ship: each is in `modules/`, as in the checkout. */
const modulesIn = (root: string): Record<string, string> =>
  Object.fromEntries(
    globSync('modules/*/main.ts', { cwd: root }).map(source => [source.slice(0, -3), source]),
  );

const absolute = (root: string, entries: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)]));

/** The file that begins with this source. */
const nameOf = (chunks: readonly OutputChunk[], source: string): string =>
  chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(source))!.fileName;

/** These files and all their imports, except lazily loaded ones. */
function withImports(chunks: readonly OutputChunk[], files: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (file: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === file);
    if (chunk === undefined || found.has(file)) return;
    found.add(file);
    for (const each of chunk.imports) add(each);
  };
  for (const file of files) add(file);
  return [...found];
}

// Escapes would change what a tagged template receives as raw text.
const RAW = /String\.raw`[^`]*[^\0-\x7f]/;

/**
 * Escapes code to ASCII: a single character beyond Latin-1 would make Node store the whole file with two bytes for each
 * character.
 */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_, output) {
    for (const file of Object.values(output)) {
      if (file.type !== 'chunk') continue;
      if (RAW.test(file.code)) this.error(`${file.fileName} has letters beyond ASCII in String.raw`);
      file.code = file.code.replace(/[^\0-\x7f]/g, letter => escaped(letter));
    }
  },
};

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const LISTS = /packages\/server\/src\/routes\/index\.ts$/;
const AWAITED = /await import\(('[^']+')\)/g;

/**
 * Bundles the modules that a source imports one after the other into the same file. Imports run in the order in which
 * they are written, so the only change is that they are not separate files.
 */
const importAtOnce: Plugin = {
  name: 'at-once',
  transform: {
    filter: { id: LISTS },
    order: 'pre',
    handler(code) {
      const imports: string[] = [];
      const body = code.replace(AWAITED, (_, target: string) => {
        imports.push(`import * as each${imports.length} from ${target};`);
        return `each${imports.length - 1}`;
      });
      return { code: `${imports.join('\n')}\n${body}`, map: null };
    },
  },
};
