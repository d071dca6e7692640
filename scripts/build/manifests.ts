/** The package.json of what ships, and that of the SDK for modules inside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE } from './bundle.ts';

interface Manifest {
  version: string;
  description: string;
  license: string;
  engines: object;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** With the Node that the checkout pins, so that `npx chat-kernel` runs on it as `npm start` does. */
export function programManifest(root: string): object {
  const { version, description, license, engines, optionalDependencies } = manifest(root, '.');
  return {
    name: 'chat-kernel',
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { 'chat-kernel': 'bin/chat-kernel.js' },
    dependencies: Object.fromEntries(NATIVE.map(name => [name, versionOf(root, name)])),
    optionalDependencies,
  };
}

export function sdkManifest(root: string): object {
  const { version, license, engines } = manifest(root, '.');
  return {
    name: '@chat-kernel/module-sdk',
    version,
    license,
    type: 'module',
    engines,
    exports: './index.js',
  };
}

/** The version that the providers ask for, which is exact. */
const versionOf = (root: string, name: string): string =>
  manifest(root, 'packages/providers').dependencies![name]!;

const manifest = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
