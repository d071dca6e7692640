/** The code: the program, its process for books, its thread for SQLite, the SDK for modules, and the modules that ship, each with the parts that it loads later in files of their own. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { asciiOnly } from './ascii.ts';
import { importAtOnce } from './at-once.ts';
import { refusePlaces } from './places.ts';

/**
 * Name → source. The chunks lie two folders deep, as a source does in its package, so that `../..` leads to the root of
 * the package from both.
 */
const ENTRIES = {
  'bin/chat-kernel': 'packages/server/bin/chat-kernel.js',
  'lib/chunks/reader': 'packages/tools/src/books/reader.ts',
  'lib/writer-thread': 'packages/storage/src/writer-thread.ts',
  'module-sdk/index': 'packages/module-sdk/src/index.ts',
  'modules/web/page-process': 'modules/web/src/page/page-process.ts',
};
const PROGRAM = 'bin/chat-kernel.js';
/** What it loads to serve, one after the other. */
const BEGINS = ['src/main.ts', 'src/serve.ts', 'src/compose.ts'];

/** What is not bundled: code for one machine, and what other packages would use if somebody installed it. */
export const NATIVE = ['sharp'];
const ABSENT = ['pg-native', 'react-devtools-core'];

interface Bundle {
  /** Absolute paths of all sources, sorted. */
  modules: string[];
  /** The files that `chat-kernel serve` loads before it listens. */
  begins: string[];
}

/** @throws Error for a warning of the bundler, and for a source that looks for files by its place and is not known */
export async function bundle(root: string, target: string): Promise<Bundle> {
  const warnings: string[] = [];
  const build = await rolldown({
    cwd: root,
    input: { ...absolute(root, ENTRIES), ...absolute(root, modulesIn(root)) },
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
    // Names stay, for stacks in the log and what looks at the name of a class; comments and blanks go.
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

/** The programs of the modules that ship: each lies in `modules/` as it does in the checkout. */
const modulesIn = (root: string): Record<string, string> =>
  Object.fromEntries(
    globSync('modules/*/main.ts', { cwd: root }).map(source => [source.slice(0, -3), source]),
  );

const absolute = (root: string, entries: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)]));

/** The file that begins with this source. */
const nameOf = (chunks: readonly OutputChunk[], source: string): string =>
  chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`packages/server/${source}`))!.fileName;

/** These files and all that they import, whatever is loaded later left out. */
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
