/**
 * `node scripts/pin-node.ts`: writes scripts/supply/node-pins.json after package.json and the lock file name another
 * version of Node. Downloads the package of each platform from the registry, compares it with the hash in the lock file,
 * and hashes the binary in it. Run scripts/compare-node.ts next.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberSha256 } from './supply/archives.ts';
import { readLockFile } from './supply/lock-file.ts';
import { type NodePins, PINS_FILE } from './supply/node-pins.ts';

const root = join(import.meta.dirname, '..');
const packages = readLockFile(root);
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = Object.keys(optionalDependencies);
const pins: NodePins = { version: optionalDependencies[names[0]!], packages: {}, compared: null };
const folder = mkdtempSync(join(tmpdir(), 'pin-node-'));
try {
  for (const name of names) pins.packages[name] = await pin(name);
} finally {
  rmSync(folder, { recursive: true });
}
writeFileSync(join(root, PINS_FILE), `${JSON.stringify(pins, null, 2)}\n`);
process.stdout.write(`Wrote ${PINS_FILE}. Compare it with nodejs.org: node scripts/compare-node.ts\n`);

async function pin(name: string): Promise<NodePins['packages'][string]> {
  process.stdout.write(`${name} ${pins.version}\n`);
  const packing = ['pack', `${name}@${pins.version}`, '--pack-destination', folder];
  execFileSync('npm', packing, { stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = join(folder, `${name}-${pins.version}.tgz`);
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (integrity !== packages[`node_modules/${name}`]?.integrity)
    throw new Error(`The registry has another ${name} ${pins.version} than package-lock.json.`);
  return { integrity, sha256: await memberSha256(archive, 'package/bin/node') };
}
