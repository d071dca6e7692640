/**
 * Finds exports that nobody needs: no other file imports them, and they are no part of what a package offers by its
 * package.json. Where only its own file uses a thing, the word `export` is one too many.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { filesIn } from './layers/imports.ts';
import { packagesIn } from './layers.ts';

/** Whose exports have to be needed: sources, scripts, and the helpers of tests. */
const CHECKED = [
  'packages/*/{src,scripts,test}/**/*.{ts,tsx}',
  '{apps,modules}/*/{src,test}/**/*.{ts,tsx}',
  '{bench,scripts,test}/**/*.ts',
];
/** Who may need them besides. */
const OTHERS = ['packages/*/bin/*.js', 'scripts/**/*.js', 'examples/**/*.{ts,js}', 'modules/*/*.ts', '*.ts'];
/** The generator decides what it exports. */
const GENERATED = ['packages/client/src/api/openapi.ts'];

type Parsed = ReturnType<typeof parseSync>['module'];
type ExportEntry = Parsed['staticExports'][number]['entries'][number];

interface Source {
  text: string;
  exports: ExportEntry[];
  imports: Parsed['staticImports'];
  /** What is imported as a whole, at run time or in a type. */
  wholes: string[];
}

/** Every export that nobody needs, as `file:line: sentence`. @param root of the repository */
export function needlessExports(root: string): string[] {
  const files = filesIn(root, [...CHECKED, ...OTHERS]);
  const sources = new Map(files.map(file => [file, sourceOf(readFileSync(join(root, file), 'utf8'), file)]));
  const checked = filesIn(root, CHECKED).filter(file => !GENERATED.includes(file));
  const entries = entriesOf(root);
  const needed = new Set<string>();

  for (const file of entries.values()) needAll(file);
  for (const [file, { imports, wholes }] of sources) {
    for (const target of wholes) needAll(targetOf(file, target));
    for (const { moduleRequest, entries } of imports) {
      const target = targetOf(file, moduleRequest.value);
      for (const { importName } of entries) {
        if (importName.kind === 'NamespaceObject') needAll(target);
        else need(target, importName.name ?? 'default');
      }
    }
  }
  return checked.flatMap(file => {
    const { text, exports } = sources.get(file) as Source;
    return exports.flatMap(entry => {
      const name = nameOf(entry);
      if (name === undefined || needed.has(`${file} ${name}`)) return [];
      const line = text.slice(0, entry.start).split('\n').length;
      return [`${file}:${line}: ${name} is exported, and no other file imports it`];
    });
  });

  /** The file that an import names, a path or a package of this repository; undefined for what is installed. */
  function targetOf(file: string, target: string): string | undefined {
    return target.startsWith('.') ? join(file, '..', target) : entries.get(target);
  }

  /** Marks the export that somebody imports, and those that it only passes on. */
  function need(file: string | undefined, name: string): boolean {
    const source = file === undefined ? undefined : sources.get(file);
    if (file === undefined || source === undefined) return false;
    const key = `${file} ${name}`;
    if (needed.has(key)) return true;
    const own = source.exports.find(entry => nameOf(entry) === name);
    if (own === undefined) return passedOn(source).some(target => need(targetOf(file, target), name));
    needed.add(key);
    if (own.moduleRequest === null) return true;
    const from = targetOf(file, own.moduleRequest.value);
    if (own.importName.kind === 'All') needAll(from);
    else need(from, own.importName.name ?? 'default');
    return true;
  }

  function needAll(file: string | undefined): void {
    const source = file === undefined ? undefined : sources.get(file);
    if (file === undefined || source === undefined) return;
    for (const entry of source.exports) {
      const name = nameOf(entry);
      if (name !== undefined) need(file, name);
    }
    for (const target of passedOn(source)) needAll(targetOf(file, target));
  }
}

function sourceOf(text: string, file: string): Source {
  const { module, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return {
    text,
    exports: module.staticExports.flatMap(({ entries }) => entries),
    imports: module.staticImports,
    wholes: [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, target]) => target as string),
  };
}

/** The name for others; undefined for `export *`, which has those of another file. */
const nameOf = ({ exportName }: ExportEntry): string | undefined =>
  exportName.kind === 'None' ? undefined : (exportName.name ?? 'default');

const passedOn = ({ exports }: Source): string[] =>
  exports.flatMap(entry => (nameOf(entry) === undefined ? [entry.moduleRequest?.value ?? ''] : []));

/** What packages offer: `@chat-kernel/client/node` → its file. */
function entriesOf(root: string): Map<string, string> {
  return new Map(
    packagesIn(root).flatMap(folder => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return Object.entries<string>(exports).map(([path, file]) => [join(name, path), join(folder, file)]);
    }),
  );
}

if (import.meta.main) {
  const found = needlessExports(resolve(import.meta.dirname, '..'));
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
