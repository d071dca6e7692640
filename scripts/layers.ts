/**
 * Holds the floors of the house: which package may import which, no import that leaves its package by a path,
 * no circle between files, nothing imported that the package does not name as a dependency.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

/** Package → the packages of the house that it may import. Every package has to stand here. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  kernel: ['protocol'],
  storage: ['kernel', 'protocol'],
  providers: ['kernel', 'protocol'],
  tools: ['kernel', 'protocol'],
  extensions: ['kernel', 'protocol'],
  // Not even the schemas: it runs in browsers, and its types are generated.
  client: [],
  'module-sdk': ['client', 'protocol'],
  // The only room that composes, programs of the command line included.
  server: ['kernel', 'protocol', 'storage', 'providers', 'tools', 'extensions', 'terminal'],
};
/** What stands in apps/ and modules/. */
const PROGRAMS_MAY_IMPORT = ['client', 'module-sdk', 'protocol'];
const SCOPE = '@chat-kernel/';
/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

interface Import {
  file: string;
  line: number;
  target: string;
}

/** Every violation as `file:line: sentence`, files relative to the root. Empty: the house stands. */
export function violations(root: string): string[] {
  const folders = globSync(['packages/*', 'apps/*', 'modules/*', 'examples/modules/*'], { cwd: root }).filter(
    folder => existsSync(join(root, folder, 'package.json')),
  );
  const edges = new Map<string, Import[]>();
  const found = folders.sort().flatMap(folder => {
    // An example is so small that it has no src.
    const imports = globSync([`${folder}/src/**/*.{ts,tsx}`, `${folder}/*.ts`], { cwd: root })
      .sort()
      .flatMap(file => importsOf(root, file));
    for (const each of imports) {
      if (each.target.startsWith('.')) edges.set(each.file, [...(edges.get(each.file) ?? []), each]);
    }
    return imports.flatMap(each => {
      const wrong = mistake(root, folder, each);
      return wrong ? [`${each.file}:${each.line}: ${wrong}`] : [];
    });
  });
  return [...found, ...circles(edges)];
}

function importsOf(root: string, file: string): Import[] {
  // Comments keep their line breaks, so that lines still count.
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment =>
    comment.replace(/[^\n]/g, ' '),
  );
  return [...text.matchAll(IMPORT)].map(match => ({
    file,
    line: text.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
    target: (match[1] ?? match[2] ?? match[3])!,
  }));
}

function mistake(root: string, folder: string, { file, target }: Import): string | undefined {
  if (target.startsWith('.')) {
    const leaves = relative(folder, join(dirname(file), target)).startsWith('..');
    return leaves ? `${target} leaves its package` : undefined;
  }
  if (isBuiltin(target)) return undefined;
  const name = packageOf(target);
  const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const [kind, room] = folder.split(/[\\/]/) as [string, string];
  if (name.startsWith(SCOPE)) {
    const allowed = kind === 'packages' ? MAY_IMPORT[room] : PROGRAMS_MAY_IMPORT;
    if (!allowed) return `${room} has no floor: add it to scripts/layers.ts`;
    if (!allowed.includes(name.slice(SCOPE.length))) return `${room} may not import ${name}`;
  }
  const declared = { ...own.dependencies, ...own.peerDependencies, ...own.optionalDependencies };
  return Object.hasOwn(declared, name) ? undefined : `${name} is no dependency of ${folder}/package.json`;
}

/** `@scope/name/part` and `name/part` → the package that is installed. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

/** One line a circle, at the import that closes it. */
function circles(edges: ReadonlyMap<string, Import[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    for (const { line, target } of edges.get(file) ?? []) {
      const next = join(dirname(file), target);
      const start = path.indexOf(next);
      if (start >= 0) found.push(`${file}:${line}: circle: ${[...path.slice(start), next].join(' → ')}`);
      else if (!done.has(next)) visit(next, [...path, next]);
    }
    done.add(file);
  };
  for (const file of edges.keys()) if (!done.has(file)) visit(file, [file]);
  return found;
}

if (import.meta.main) {
  const found = violations(resolve(import.meta.dirname, '..'));
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
