/** The package.json of what ships, that of the SDK for modules inside it, and that of the client beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE } from './bundle.ts';

interface Manifest {
  version: string;
  description: string;
  license: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: object;
  optionalDependencies?: Record<string, string>;
}

/** The Node that the kernel, and what it runs, need. */
export const NEEDED = '>=24';

/**
 * With the Node that the checkout pins, which `bin/chat-kernel` finds: so npm may install it with an older one, and must
 * not warn about that. The program starts commands and modules by a shell, which Windows does not have.
 */
export function programManifest(root: string): object {
  const { version, description, license, optionalDependencies } = manifest(root, '.');
  return {
    name: 'chat-kernel',
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20' },
    os: ['linux', 'darwin'],
    bin: { 'chat-kernel': 'bin/chat-kernel' },
    man: ['./man/chat-kernel.1'],
    dependencies: Object.fromEntries(NATIVE.map(name => [name, versionOf(root, name)])),
    optionalDependencies,
  };
}

export function sdkManifest(root: string): object {
  const { version, license } = manifest(root, '.');
  return {
    name: '@chat-kernel/module-sdk',
    version,
    license,
    type: 'module',
    engines: { node: NEEDED },
    exports: './index.js',
  };
}

/** The client depends on nothing; who wants its transport for the AI SDK has that already. */
export function clientManifest(root: string): object {
  const { license } = manifest(root, '.');
  const {
    version,
    description,
    exports = {},
    peerDependencies,
    peerDependenciesMeta,
  } = manifest(root, 'packages/client');
  return {
    name: '@chat-kernel/client',
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    // What it uses of the language is in browsers of the same age.
    engines: { node: '>=22' },
    exports: Object.fromEntries(Object.entries(exports).map(([name, source]) => [name, builtFrom(source)])),
    peerDependencies,
    peerDependenciesMeta,
    publishConfig: { access: 'public' },
  };
}

/** `./src/node/index.ts` → what was made of it. */
function builtFrom(source: string): object {
  const file = source.replace('./src/', './').replace('.ts', '');
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

/** The version that the providers ask for, which is exact. */
const versionOf = (root: string, name: string): string =>
  manifest(root, 'packages/providers').dependencies![name]!;

const manifest = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
