/**
 * `node scripts/compare-node.ts --keyring FILE`: compares the pinned hashes of Node with nodejs.org, and records the
 * result in scripts/supply/node-pins.json. Downloads the list of hashes, which a releaser of Node has signed, and the
 * archive of each platform. The keys are those of https://github.com/nodejs/release-keys (file gpg/pubring.kbx).
 *
 * `--from URL` names a mirror: the signature decides, not the address. `--root FOLDER` names another checkout.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { memberSha256 } from './supply/archives.ts';
import { type NodePins, PINS_FILE, readPins, sha256Of } from './supply/node-pins.ts';

const { values } = parseArgs({
  options: {
    keyring: { type: 'string' },
    from: { type: 'string' },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const pins = readPins(values.root);
const source = values.from ?? `https://nodejs.org/dist/v${pins.version}/`;
const folder = mkdtempSync(join(tmpdir(), 'compare-node-'));
try {
  if (values.keyring === undefined)
    throw new Error('Name the file with the keys of the releasers of Node: --keyring FILE');
  const { key, sums } = await signedSums(values.keyring);
  process.stdout.write(`SHASUMS256.txt: signed with the key ${key}\n`);
  for (const name of Object.keys(pins.packages)) await compare(name, sums);
  const compared: NodePins['compared'] = { date: new Date().toISOString().slice(0, 10), key };
  writeFileSync(join(values.root, PINS_FILE), `${JSON.stringify({ ...pins, compared }, null, 2)}\n`);
} catch (error) {
  process.stderr.write(`Not compared: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the hashes by name of the archive, and the key that signed them. */
async function signedSums(keyring: string): Promise<{ key: string; sums: ReadonlyMap<string, string> }> {
  const signed = await download('SHASUMS256.txt.asc');
  const plain = join(folder, 'SHASUMS256.txt');
  const { status, stdout, stderr, error } = spawnSync(
    'gpgv',
    ['--keyring', resolve(keyring), '--status-fd', '1', '--output', plain, signed],
    { encoding: 'utf8' },
  );
  if (error) throw new Error('The program gpgv is missing, which verifies signatures.');
  // A revoked or expired key makes no good signature. The last field is the main key, which the list of releasers names.
  const isGood = status === 0 && /^\[GNUPG:\] GOODSIG /m.test(stdout);
  const key = /^\[GNUPG:\] VALIDSIG .*\b(\w{40})$/m.exec(stdout)?.[1];
  if (!isGood || key === undefined)
    throw new Error(`The signature of SHASUMS256.txt is not valid.\n${stderr}`);
  const lines = readFileSync(plain, 'utf8').matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm);
  return { key, sums: new Map([...lines].map(([, sha256 = '', name = '']) => [name, sha256])) };
}

/** @throws if nodejs.org has another binary for the platform of this package */
async function compare(name: string, sums: ReadonlyMap<string, string>): Promise<void> {
  const release = `node-v${pins.version}-${name.replace(/^node-(bin-)?/, '')}`;
  const file = `${release}.tar.gz`;
  const archive = await download(file);
  if (sums.get(file) !== (await sha256Of(archive)))
    throw new Error(`${file} is not the archive that SHASUMS256.txt names.`);
  const sha256 = await memberSha256(archive, `${release}/bin/node`);
  if (sha256 !== pins.packages[name]?.sha256)
    throw new Error(`${name} is not the Node of nodejs.org, whose SHA-256 is ${sha256}. Do not ship it.`);
  process.stdout.write(`${name}: as ${file}\n`);
}

async function download(file: string): Promise<string> {
  const response = await fetch(new URL(file, source)).catch(error => {
    throw new Error(`${source} is unreachable (${error.cause?.code ?? error.message}).`);
  });
  if (!response.ok) throw new Error(`${source}${file} was answered with status ${response.status}.`);
  const path = join(folder, file);
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  return path;
}
