/** The rules between packages: which may import which, by name alone, and only what its package.json declares. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { type Import, importedFile } from './imports.ts';

/** Package → the packages of this repository that it may import. Every package has to be listed. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  'json-rpc': [],
  kernel: ['protocol'],
  storage: ['kernel', 'protocol'],
  providers: ['kernel', 'protocol'],
  // What keeps edits for an undo is the same on the kernel's machine and on a client's.
  tools: ['client', 'kernel', 'protocol'],
  extensions: ['json-rpc', 'kernel', 'protocol'],
  // Not even the schemas: the client runs in browsers, and its types are generated.
  client: [],
  importers: ['protocol'],
  markdown: [],
  'module-sdk': ['client', 'json-rpc', 'protocol'],
  // A face meets the kernel over HTTP alone, as any program does.
  'openai-face': ['client', 'protocol'],
  'mcp-face': ['client'],
  // The only package that composes, programs of the command line included.
  server: [
    'kernel',
    'protocol',
    'storage',
    'providers',
    'tools',
    'extensions',
    'importers',
    'openai-face',
    'mcp-face',
    'terminal',
    'acp',
  ],
};
/** The packages that programs (apps/) and modules may import. */
const PROGRAMS_MAY_IMPORT = ['client', 'importers', 'markdown', 'module-sdk', 'protocol'];
const SCOPE = '@chat-kernel/';

/** Returns the mistakes in imports of the package in `folder`, as `file:line: sentence`. */
export function wrongPackages(root: string, folder: string, imports: readonly Import[]): string[] {
  const declared = declaredBy(join(root, folder, 'package.json'));
  return imports.flatMap(each => {
    const wrong = mistake(folder, each, declared);
    return wrong ? [`${each.file}:${each.line}: ${wrong}`] : [];
  });
}

function declaredBy(manifest: string): ReadonlySet<string> {
  const own = JSON.parse(readFileSync(manifest, 'utf8'));
  return new Set(Object.keys({ ...own.dependencies, ...own.peerDependencies, ...own.optionalDependencies }));
}

function mistake(folder: string, each: Import, declared: ReadonlySet<string>): string | undefined {
  const { target } = each;
  const file = importedFile(each);
  if (file !== undefined) return file.startsWith(`${folder}/`) ? undefined : `${target} leaves its package`;
  if (isBuiltin(target)) return undefined;
  const imported = packageOf(target);
  if (imported.startsWith(SCOPE)) {
    const importer = basename(folder);
    const allowed = folder.startsWith('packages/') ? MAY_IMPORT[importer] : PROGRAMS_MAY_IMPORT;
    if (!allowed) return `${importer} is not listed: add it to scripts/layers/packages.ts`;
    if (!allowed.includes(imported.slice(SCOPE.length))) return `${importer} may not import ${imported}`;
  }
  return declared.has(imported) ? undefined : `${imported} is no dependency of ${folder}/package.json`;
}

/** `@scope/name/part` and `name/part` → the package that is installed. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
