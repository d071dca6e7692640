/** Completion, in the shells that it is for, and the man page, through the program that shows it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../test/harness/command.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { commandLine } from '../src/command-line.ts';
import { bashCompletion } from '../src/manual/bash.ts';
import { factsOf, leavesOf } from '../src/manual/facts.ts';

const facts = factsOf(commandLine());
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** What bash proposes for the last of these words, in this folder. */
function proposed(words: string[], cwd = '.'): string[] {
  const line = ['chat-kernel', ...words];
  const script = `${bashCompletion(facts)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _chat_kernel; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', ...line], { cwd, encoding: 'utf8' });
  return out.split('\n').filter(Boolean);
}

it('bash proposes commands, flags and values, each in its place', () => {
  expect(proposed(['sta'])).toEqual(['status']);
  expect(proposed([''])).toEqual(facts.commands.map(({ name }) => name));
  expect(proposed(['--v'])).toEqual(['--version']);
  expect(proposed(['ask', '--ha'])).toEqual(['--hands']);
  expect(proposed(['ask', '--hands', ''])).toEqual(['none', 'reads', 'ask', 'all', 'kernel']);
  expect(proposed(['ask', '--hands', '=', 're'])).toEqual(['reads']);
  expect(proposed(['ask', '--effort', 'm'])).toEqual(['mid']);
  expect(proposed(['chat', '--url', 'h'])).toEqual([]);
  expect(proposed(['module', ''])).toEqual(['new']);
  expect(proposed(['module', 'new', '--'])).toEqual(['--dir', '--help']);
  expect(proposed(['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
  // A word of a message is no command.
  expect(proposed(['ask', 'stop', '--fol'])).toEqual([]);
});

it('bash proposes files and folders, blanks included', () => {
  const folder = directoryOfTest();
  mkdirSync(join(folder, 'two words'));
  writeFileSync(join(folder, 'two.yaml'), '');
  expect(proposed(['serve', '-c', 'tw'], folder).sort()).toEqual(['two words', 'two.yaml']);
  expect(proposed(['up', '--data', 'tw'], folder)).toEqual(['two words']);
  expect(proposed(['restore', 'two.'], folder)).toEqual(['two.yaml']);
});

const SHELLS = [
  ['bash', ['--norc', '--noprofile', '-i'], 'source ./script'],
  ['zsh', ['-f', '-i'], 'autoload -U compinit; compinit -u -d dump; source ./script'],
  ['fish', ['--no-config', '-i'], 'source ./script'],
] as const;

it.for(SHELLS)(
  '%s completes what somebody types',
  { timeout: 120_000 },
  async ([shell, words, load], context) => {
    if (!has(shell) && !process.env.REQUIRE_ALL) context.skip();
    const home = directoryOfTest();
    const { out } = await runCommand(['completion', shell], home);
    writeFileSync(join(home, 'script'), out);
    const { PATH } = process.env;
    const pty = spawn(shell, [...words], { cols: 200, cwd: home, env: { PATH, HOME: home, TERM: 'xterm' } });
    const ended = new Promise(resolve => pty.onExit(resolve));
    onTestFinished(async () => {
      pty.kill('SIGKILL');
      await ended;
    });
    let shown = '';
    pty.onData(text => {
      shown += text;
    });
    const screen = () => stripVTControlCharacters(shown);
    const patience = { timeout: 30_000, interval: 50 };
    await expect.poll(screen, patience).not.toBe('');
    // The quotes keep the echo of the line from looking like its output.
    pty.write(`${load}; echo re""ady\r`);
    await expect.poll(screen, patience).toContain('ready');
    for (const [typed, completed] of [
      ['chat-kernel ask --wor', 'kdir'],
      ['chat-kernel ask --effort hi', 'gh'],
      ['chat-kernel dow\u0008\u0008oc', 'tor'],
    ] as const) {
      shown = '';
      pty.write(`${typed}\t`);
      await expect.poll(() => screen().replaceAll(/\s/g, ''), patience).toContain(completed);
      // Takes the line back.
      pty.write('\u0015');
    }
  },
);

it('a shell that there is none for is refused', async () => {
  expect(await runCommand(['completion', 'csh'], directoryOfTest())).toEqual({
    out: '',
    err: 'chat-kernel completion: csh is none of bash, zsh, fish\n',
    code: 2,
  });
});

it('the man page has all commands and flags, and nothing that its formatter warns of', () => {
  const page = join(import.meta.dirname, '../../../docs/chat-kernel.1');
  const formatted = spawnSync('groff', ['-man', '-ww', '-Tascii', page], { encoding: 'utf8' });
  if (formatted.error && !process.env.REQUIRE_ALL) return;
  expect(formatted).toMatchObject({ status: 0, stderr: '' });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bold is a letter over itself.
  const text = stripVTControlCharacters(formatted.stdout).replaceAll(/.\x08/g, '');
  for (const { name, flags } of leavesOf(facts)) {
    expect(text).toMatch(new RegExp(`^ {3}${name}\\b`, 'm'));
    for (const { long } of flags) expect(text).toContain(long);
  }
  expect(text).toContain('Exit codes: 0 it answers');
});
