/** Compares the Node that ships with the hashes in node-pins.json. `node scripts/pin-node.ts` writes that file. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Packages } from './lock-file.ts';

export const PINS_FILE = 'scripts/supply/node-pins.json';

export interface NodePins {
  version: string;
  /** By name of the package in the registry. */
  packages: Record<string, NodePin>;
  /** When scripts/compare-node.ts found the same binaries at nodejs.org, and the key of its signature; null: never. */
  compared: { date: string; key: string } | null;
}

interface NodePin {
  /** The hash of the package, as in package-lock.json. */
  integrity: string;
  /** The hash of the file bin/node in it, in hexadecimal. */
  sha256: string;
}

export const readPins = (root: string): NodePins => JSON.parse(readFileSync(join(root, PINS_FILE), 'utf8'));

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** Returns one sentence for each problem. @param required `optionalDependencies` of package.json */
export async function nodeProblems(
  root: string,
  pins: NodePins,
  required: Readonly<Record<string, string>>,
  packages: Packages,
): Promise<string[]> {
  const problems: string[] = [];
  for (const name of new Set([...Object.keys(required), ...Object.keys(pins.packages)])) {
    const pin = pins.packages[name];
    const locked = packages[`node_modules/${name}`];
    if (pin === undefined) problems.push(`${name} is not in ${PINS_FILE}: run node scripts/pin-node.ts`);
    else if (required[name] !== pins.version || locked?.version !== pins.version)
      problems.push(`${name} must be exactly ${pins.version}, the version in ${PINS_FILE}.`);
    else if (locked.integrity !== pin.integrity)
      problems.push(`${name} has another hash in package-lock.json than in ${PINS_FILE}.`);
  }
  return [...problems, ...(await binaryProblems(join(root, 'node_modules'), pins))];
}

/**
 * Compares the installed binaries. npm compares only the package that it downloads, not what is on the disk later.
 * @param folder the folder node_modules
 */
export async function binaryProblems(folder: string, { version, packages }: NodePins): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, { sha256 }] of Object.entries(packages)) {
    const file = join(folder, name, 'bin/node');
    if (!existsSync(file)) continue;
    const actual = await sha256Of(file);
    if (actual !== sha256)
      problems.push(
        `${file} is not Node ${version} as pinned: its SHA-256 is ${actual} instead of ${sha256}.`,
      );
  }
  return problems;
}

/** Builds what ships only with the Node that ships. @throws if the installed one is another */
export async function requirePinnedNode(root: string): Promise<void> {
  const problems = await binaryProblems(join(root, 'node_modules'), readPins(root));
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** The hashes in the format of `sha256sum --check`, for use in the folder node_modules. */
export const checksums = ({ packages }: NodePins): string =>
  Object.entries(packages)
    .map(([name, { sha256 }]) => `${sha256}  ${name}/bin/node\n`)
    .join('');

/** Says whether a person has compared the hashes with those of nodejs.org. */
export const describeOrigin = ({ version, compared }: NodePins): string =>
  compared === null
    ? `Node ${version} is as pinned. Not compared with nodejs.org: node scripts/compare-node.ts`
    : `Node ${version} is as pinned, and as nodejs.org signed it (compared on ${compared.date}).`;
