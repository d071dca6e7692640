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
import { listLeafCommands, toCommandFacts } from '../src/manual/facts.ts';
import { fishCompletion } from '../src/manual/fish.ts';

const facts = toCommandFacts(commandLine());
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** Returns the completions of bash for the last of these words, in this folder. */
function proposed(words: string[], cwd = '.'): string[] {
  const line = ['chat-kernel', ...words];
  const script = `${bashCompletion(facts)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _chat_kernel; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', ...line], { cwd, encoding: 'utf8' });
  return out.split('\n').filter(Boolean);
}

it('completes commands, flags and values by position in bash', () => {
  expect(proposed(['sta'])).toEqual(['status']);
  expect(proposed([''])).toEqual(facts.commands.map(({ name }) => name));
  expect(proposed(['--v'])).toEqual(['--version']);
  expect(proposed(['ask', '--ha'])).toEqual(['--hands']);
  expect(proposed(['ask', '--hands', ''])).toEqual(['none', 'reads', 'ask', 'all', 'kernel']);
  expect(proposed(['ask', '--hands', '=', 're'])).toEqual(['reads']);
  expect(proposed(['ask', '--effort', 'm'])).toEqual(['mid']);
  expect(proposed(['chat', '--url', 'h'])).toEqual([]);
  expect(proposed(['module', ''])).toEqual(['new']);
  expect(proposed(['module', 'new', '--'])).toEqual(['--dir', '--surface', '--help']);
  expect(proposed(['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
  // Text of a message is not a command.
  expect(proposed(['ask', 'stop', '--fol'])).toEqual([]);
});

it('completes files and folders in bash, including names with spaces', () => {
  const folder = directoryOfTest();
  mkdirSync(join(folder, 'two words'));
  writeFileSync(join(folder, 'two.yaml'), '');
  expect(proposed(['serve', '-c', 'tw'], folder).sort()).toEqual(['two words', 'two.yaml']);
  expect(proposed(['up', '--data', 'tw'], folder)).toEqual(['two words']);
  expect(proposed(['restore', 'two.'], folder)).toEqual(['two.yaml']);
});

it('fish proposes commands as the first word only, and subcommands and flags of the command before them', context => {
  if (!has('fish') && !process.env.REQUIRE_ALL) context.skip();
  const script = join(directoryOfTest(), 'script');
  writeFileSync(script, fishCompletion(facts));
  const completions = (line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C ${JSON.stringify(line)}`], {
      encoding: 'utf8',
    })
      .split('\n')
      .map(row => row.split('\t')[0] as string)
      .filter(Boolean);
  expect(completions('chat-kernel sta')).toEqual(['status']);
  expect(completions('chat-kernel ask sta')).toEqual([]);
  expect(completions('chat-kernel --vers')).toEqual(['--version']);
  expect(completions('chat-kernel ask --vers')).toEqual([]);
  expect(completions('chat-kernel module n')).toEqual(['new']);
  expect(completions('chat-kernel ask --work')).toEqual(['--workdir']);
  expect(completions('chat-kernel status --work')).toEqual([]);
});

const SHELLS = [
  ['bash', ['--norc', '--noprofile', '-i'], 'source ./script'],
  ['zsh', ['-f', '-i'], 'autoload -U compinit; compinit -u -d dump; source ./script'],
  ['fish', ['--no-config', '-i'], 'source ./script'],
] as const;

it.for(SHELLS)(
  'completes a typed command line in %s',
  { timeout: 120_000 },
  async ([shell, words, load], context) => {
    if (!has(shell) && !process.env.REQUIRE_ALL) context.skip();
    const home = directoryOfTest();
    const { out } = await runCommand(['completion', shell], home);
    writeFileSync(join(home, 'script'), out);
    writeFileSync(join(home, 'archive.backup'), '');
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
      ['chat-kernel restore arch', 'ive.backup'],
    ] as const) {
      shown = '';
      pty.write(`${typed}\t`);
      await expect.poll(() => screen().replaceAll(/\s/g, ''), patience).toContain(completed);
      // Takes the line back.
      pty.write('\u0015');
    }
  },
);

it('rejects an unsupported shell', async () => {
  expect(await runCommand(['completion', 'csh'], directoryOfTest())).toEqual({
    out: '',
    err: 'chat-kernel completion: The shell must be one of bash, zsh, fish, not csh.\n',
    code: 2,
  });
});

it('lists all commands and flags on the man page, without formatter warnings', () => {
  const page = join(import.meta.dirname, '../../../docs/chat-kernel.1');
  const formatted = spawnSync('groff', ['-man', '-ww', '-Tascii', page], { encoding: 'utf8' });
  if (formatted.error && !process.env.REQUIRE_ALL) return;
  expect(formatted).toMatchObject({ status: 0, stderr: '' });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bold is a letter over itself.
  const text = stripVTControlCharacters(formatted.stdout).replaceAll(/.\x08/g, '');
  for (const { name, flags } of listLeafCommands(facts)) {
    expect(text).toMatch(new RegExp(`^ {3}${name}\\b`, 'm'));
    for (const { long } of flags) expect(text).toContain(long);
  }
  expect(text).toContain('Exit codes: 0 running');
});
