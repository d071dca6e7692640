/** Writes the package.json of the shipped package, of the SDK for modules inside it, and of the client next to it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** The Node version that the kernel and the programs that it runs require. */
export const NEEDED = '>=24';

/** Writes the manifests of the shipped package, and of the SDK inside it. */
export function writeManifests(root: string, target: string): void {
  mkdirSync(join(target, 'module-sdk'), { recursive: true });
  const write = (name: string, manifest: object): void =>
    writeFileSync(join(target, name), `${JSON.stringify(manifest, null, 2)}\n`);
  write('package.json', programManifest(root));
  write('module-sdk/package.json', sdkManifest(root));
}

/**
 * Includes the Node that the checkout pins, which `bin/chat-kernel` finds, so that npm may install it with an older one
 * without a warning. The program starts commands and modules with a shell, which Windows does not have.
 */
function programManifest(root: string): object {
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
    dependencies: Object.fromEntries(NATIVE.map(name => [name, versionOf(root, name)])),
    optionalDependencies,
  };
}

function sdkManifest(root: string): object {
  const { version, license } = manifest(root, '.');
  return {
    name: '@chat-kernel/module-sdk',
    version,
    license,
    type: 'module',
    engines: { node: NEEDED },
    exports: { '.': './index.js', './surface': './surface.js' },
  };
}

/**
 * The published client also contains code of packages above it: entry → path among the sources
 * (scripts/build/client.ts).
 */
const FROM_ABOVE = { './ai-sdk': './src/ai-sdk/index.ts', './node': './src/node/index.ts' };

/** The client depends on nothing; a page that uses its transport for the AI SDK has installed the AI SDK itself. */
export function clientManifest(root: string): object {
  const { license } = manifest(root, '.');
  const { version, description, exports = {} } = manifest(root, 'packages/client');
  const { peerDependencies, peerDependenciesMeta } = manifest(root, 'packages/ai-sdk');
  return {
    name: '@chat-kernel/client',
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    // Browsers of the same age support the language features that it uses.
    engines: { node: '>=22' },
    exports: Object.fromEntries(
      Object.entries({ ...exports, ...FROM_ABOVE }).map(([name, source]) => [name, builtFrom(source)]),
    ),
    peerDependencies,
    peerDependenciesMeta,
    publishConfig: { access: 'public' },
  };
}

/** `./src/node/index.ts` → the built files. */
function builtFrom(source: string): object {
  const file = source.replace('./src/', './').replace('.ts', '');
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

/** The version that the providers require, which is exact. */
const versionOf = (root: string, name: string): string =>
  manifest(root, 'packages/providers').dependencies![name]!;

const manifest = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
