/** Checks the rules between packages: which may import which, only by name, and only what its package.json declares. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { type Import, importedFile } from './imports.ts';

/** Package → the packages of this repository that it may import. Every package must be listed. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  protocol: [],
  'json-rpc': [],
  kernel: ['base', 'protocol', 'text'],
  // Routes as objects, of the server and of features.
  http: ['protocol'],
  storage: ['base', 'kernel', 'protocol'],
  providers: ['base', 'kernel', 'net', 'protocol', 'text'],
  // Operations on a machine, the kernel's or a client's: below the kernel, whose ports the tools implement with it.
  hands: ['client', 'net', 'protocol', 'text'],
  tools: ['hands', 'kernel', 'protocol', 'text'],
  // For all programs that start on this machine: the server, and the other commands.
  settings: ['kernel', 'protocol', 'storage'],
  features: ['base', 'hands', 'http', 'kernel', 'net', 'protocol', 'storage', 'text', 'tools'],
  'module-host': ['base', 'hands', 'json-rpc', 'kernel', 'protocol', 'text'],
  'mcp-client': ['base', 'hands', 'json-rpc', 'kernel', 'net', 'protocol'],
  // Outgoing connections.
  net: [],
  // Types and tables, never the schemas: browsers load the client without zod (packages/client/test/bundle.test.ts).
  client: ['protocol'],
  // The additions to the client that a page with the AI SDK needs.
  'ai-sdk': ['client'],
  importers: ['protocol', 'text'],
  text: [],
  'module-sdk': ['base', 'client', 'json-rpc', 'protocol'],
  // A face uses the kernel only over HTTP, like any program. It has the type of a face from `http`.
  'openai-face': ['base', 'client', 'http', 'protocol'],
  'mcp-face': ['client', 'http'],
  // The only package that composes all parts.
  server: [
    'base',
    'kernel',
    'protocol',
    'storage',
    'providers',
    'tools',
    'module-host',
    'mcp-client',
    'features',
    'hands',
    'http',
    'openai-face',
    'mcp-face',
    'settings',
    'text',
    // The addresses of the page that it serves.
    'web',
  ],
  // The only program above the server: it starts the server, and manages its settings and data.
  cli: [
    'acp',
    'features',
    'hands',
    'importers',
    'kernel',
    'mcp-client',
    'net',
    'protocol',
    'providers',
    'server',
    'settings',
    'storage',
    'terminal',
  ],
};
/** The packages that other programs (apps/) and modules may import. */
const PROGRAMS_MAY_IMPORT = ['base', 'client', 'hands', 'importers', 'module-sdk', 'net', 'protocol', 'text'];
const SCOPE = '@chat-kernel/';

/** Returns the wrong imports of the package in `folder`, as `file:line: sentence`. */
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
    const own = folder.startsWith('modules/') ? undefined : MAY_IMPORT[importer];
    const allowed = own ?? (folder.startsWith('packages/') ? undefined : PROGRAMS_MAY_IMPORT);
    if (!allowed) return `${importer} is not listed: add it to scripts/layers/packages.ts`;
    if (!allowed.includes(imported.slice(SCOPE.length))) return `${importer} may not import ${imported}`;
  }
  return declared.has(imported) ? undefined : `${imported} is no dependency of ${folder}/package.json`;
}

/** `@scope/name/part` and `name/part` → the installed package. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
