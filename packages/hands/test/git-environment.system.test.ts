/** Tests with real repositories that git starts no program that their files name. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { nodeHands } from '../src/node/index.ts';
import { gitEnvironment } from '../src/shell/git-environment.ts';

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});

const git = (...words: string[]) => execFileSync('git', words, { cwd: workdir, encoding: 'utf8' });
const configure = (name: string, value: string) => git('config', name, value);

/** A program that leaves a trace, and fails as a monitor of the file system. */
function trace(): { program: string; wasRun: () => boolean } {
  const program = join(workdir, 'evil.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${workdir}/trace\nexit 1\n`);
  chmodSync(program, 0o755);
  return { program, wasRun: () => existsSync(join(workdir, 'trace')) };
}

function createRepository(): void {
  git('init', '-q');
  configure('user.name', 'Ann');
  configure('user.email', 'ann@example.org');
  writeFileSync(join(workdir, 'a.txt'), 'one\n');
  git('add', 'a.txt');
  git('commit', '-qm', 'First');
  writeFileSync(join(workdir, 'a.txt'), 'two\n');
}

/** Runs a command on the machine of a client, as one that a prefix covers or as one whose exact words are allowed. */
const run = async (command: string, by_prefix: boolean) =>
  nodeHands({ workdir }).shell(
    { command },
    { by_prefix, signal: new AbortController().signal, progress() {} },
  );

it.each([
  ['file system monitor', 'core.fsmonitor', 'git status --short'],
  ['external diff', 'diff.external', 'git diff'],
  ['diff driver', 'diff.any.command', 'git diff'],
])('[CONSENT-7] a git command that only a prefix covers starts no %s', async (_, setting, command) => {
  createRepository();
  const { program, wasRun } = trace();
  configure(setting, program);
  mkdirSync(join(workdir, '.git', 'info'), { recursive: true });
  writeFileSync(join(workdir, '.git', 'info', 'attributes'), '*.txt diff=any\n');
  const { output, exit_code } = await run(command, true);
  expect(wasRun()).toBe(false);
  expect(exit_code).toBe(0);
  expect(output).toContain(command === 'git diff' ? '+two' : ' M a.txt');
  await run(command, false);
  expect(wasRun()).toBe(true);
});

it('[CONSENT-7] a git command that only a prefix covers runs no hooks, and keeps them with exact words', async () => {
  createRepository();
  const { program, wasRun } = trace();
  mkdirSync(join(workdir, '.git', 'hooks'), { recursive: true });
  writeFileSync(join(workdir, '.git', 'hooks', 'pre-commit'), `#!/bin/sh\nexec ${program}\n`, {
    mode: 0o755,
  });
  expect(await run('git commit -qam Second', true)).toMatchObject({ exit_code: 0 });
  expect(wasRun()).toBe(false);
  expect(await run('git commit --allow-empty -qm Third', false)).toMatchObject({ exit_code: 1 });
  expect(wasRun()).toBe(true);
});

it('[CONSENT-7] files in the working directory make it no repository', async () => {
  const { program, wasRun } = trace();
  for (const folder of ['objects', 'refs/heads']) mkdirSync(join(workdir, folder), { recursive: true });
  writeFileSync(join(workdir, 'HEAD'), 'ref: refs/heads/main\n');
  const config = `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ${workdir}\nfsmonitor = ${program}\n`;
  writeFileSync(join(workdir, 'config'), config);
  expect((await run('git status --short', true)).output).toContain('safe.bareRepository');
  expect(wasRun()).toBe(false);
  await run('git status --short', false);
  expect(wasRun()).toBe(true);
});

it('uses no pager, and keeps other settings of the environment', async () => {
  createRepository();
  configure('pager.log', 'evil');
  const others = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Bob' };
  const env = { ...process.env, ...others };
  const guarded = { ...env, ...(await gitEnvironment(workdir, env)) };
  const read = (...words: string[]) =>
    execFileSync('git', words, { cwd: workdir, env: guarded, encoding: 'utf8' }).trim();
  expect(read('var', 'GIT_PAGER')).toBe('cat');
  expect(read('config', 'user.name')).toBe('Bob');
  expect(read('config', 'core.hooksPath')).toBe('/dev/null');
});

it('needs no git', async () => {
  expect(await gitEnvironment(workdir, { PATH: '/nowhere' })).toMatchObject({ GIT_PAGER: 'cat' });
});
