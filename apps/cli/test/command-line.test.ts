/** The commands and their flags, which scripts rely on. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import packageJson from '../package.json' with { type: 'json' };
import { commandLine } from '../src/command-line.ts';
import { runInProcess } from './run-in-process.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const SETTINGS =
  '-c, --config <file>; --host <address>; -p, --port <number>; -d, --data <folder>; --set <path=value>';
const ADDRESS = '--url <address>; --token <token>';
const SANDBOX = '--sandbox <kind>; --env <name>';

const COMMANDS: Record<string, string> = {
  serve: SETTINGS,
  up: SETTINGS,
  stop: SETTINGS,
  status: `--json; ${SETTINGS}`,
  logs: `-f, --follow; -n, --lines <number>=100; ${SETTINGS}`,
  config: SETTINGS,
  chat: `--chat <id>; --continue; --model <id>; --hands <policy>=ask; --workdir <folder>; ${SANDBOX}; ${ADDRESS}; ${SETTINGS}`,
  'ask [text...]': `--chat <id>; --forget; --model <id>; --effort <level>; --file <path>; --hands <policy>=none; --workdir <folder>; --json; -q, --quiet; ${SANDBOX}; ${ADDRESS}; ${SETTINGS}`,
  hands: `--name <name>; --allow <folder>; --install; --uninstall; ${SANDBOX}; ${ADDRESS}; ${SETTINGS}`,
  acp: `${SANDBOX}; ${ADDRESS}; ${SETTINGS}`,
  doctor: `--call; --url <address>; --token <token>; --json; ${SETTINGS}`,
  'backup <file>': `--check; -q, --quiet; ${SETTINGS}`,
  'restore <file>': `-q, --quiet; ${SETTINGS}`,
  'import <file>': `--dry-run; --shelf <name>; -q, --quiet; ${ADDRESS}; ${SETTINGS}`,
  'files move': `--to <place>; -q, --quiet; ${SETTINGS}`,
  'module new <name>': '--dir <folder>; --surface',
  'mcp list': `${ADDRESS}; ${SETTINGS}`,
  'mcp login <name>': `${ADDRESS}; ${SETTINGS}`,
  'mcp logout <name>': `${ADDRESS}; ${SETTINGS}`,
};

/** The flags of each command, by its words. */
const leaves = (command: Command, before = ''): [string, string][] =>
  command.commands.flatMap(each => {
    const words = [
      `${before}${each.name()}`,
      ...each.registeredArguments.map(argument => {
        const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? `<${name}>` : `[${name}]`;
      }),
    ].join(' ');
    if (each.commands.length > 0) return leaves(each, `${words} `);
    const flags = each.options.map(
      ({ flags, defaultValue }) => `${flags}${defaultValue === undefined ? '' : `=${defaultValue}`}`,
    );
    return [[words, flags.join('; ')] as [string, string]];
  });

it('has these commands with these flags', () => {
  expect(Object.fromEntries(leaves(commandLine()))).toEqual(COMMANDS);
});

it('prints its version and usage, and rejects unknown flags and missing ones', async () => {
  const home = directoryOfTest();
  const run = (...words: string[]) => runInProcess(words, home);
  expect(await run('--version')).toEqual({ out: `${packageJson.version}\n`, err: '', code: 0 });
  const { out, code } = await run('--help');
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: chat-kernel [\s\S]*\n\nFlags override CHAT_KERNEL_\.\.\. variables/);
  expect(await run('--prot', '1')).toEqual({
    out: '',
    err: "error: unknown option '--prot'\n(Did you mean --port?)\n(For usage, run chat-kernel --help.)\n",
    code: 1,
  });
  for (const [words, missing] of [
    [['hands'], '--name <name>'],
    [['files', 'move'], '--to <place>'],
  ] as const)
    expect((await run(...words)).err).toMatch(`error: required option '${missing}' not specified\n`);
  for (const words of [
    ['ask'],
    ['hands'],
    ['acp'],
    ['status'],
    ['import'],
    ['backup'],
    ['files', 'move'],
    ['mcp', 'login'],
  ])
    expect((await run(...words, '--help')).out).toMatch(/ {2}-h, --help .*\n\n[A-Z]/);
});

it.each([
  [[]],
  [['serve']],
])('starts the server with %j, but not on an address that others can reach [AUTH-4]', async words => {
  expect(await runInProcess([...words, '--host', '0.0.0.0'], directoryOfTest())).toEqual({
    out: '',
    err: expect.stringMatching(/^--host: server\.host: expected a loopback address/),
    code: 1,
  });
});

it('prints the effective settings as YAML without a secret [API-7], or all errors', async () => {
  const home = directoryOfTest();
  const config = (...words: string[]) =>
    runInProcess(['config', ...words], home, { env: { CHAT_KERNEL_NO_SUCH: '1' } });
  const warning = expect.stringMatching(/^CHAT_KERNEL_NO_SUCH: unknown variable.*\n$/);
  expect(await config()).toEqual({
    out: expect.stringMatching(/^# no settings file\n\w/),
    err: warning,
    code: 0,
  });
  const file = join(home, 'k.yaml');
  writeFileSync(file, 'llm:\n  providers:\n    mine: { kind: openai, api_key: hush }\n');
  const { out } = await config(
    '-c',
    'k.yaml',
    '--port',
    '1234',
    '--set',
    'llm.reasoning=high',
    '--set',
    'log.level=warn',
  );
  expect(out).toMatch(`# ${file}\n`);
  expect(out).not.toContain('hush');
  expect(parse(out)).toMatchObject({
    server: { port: 1234 },
    data_dir: join(home, '.local/share/chat-kernel'),
    log: { level: 'warn' },
    llm: { reasoning: 'high', providers: { mine: { kind: 'openai', api_key: '***' } } },
  });
  writeFileSync(file, 'server:\n  port: x\n');
  expect(await config('-c', 'k.yaml', '--set', 'a=b')).toEqual({
    out: '',
    err: `--set a: unknown setting\n${file}:2:9: server.port: expected a number\n`,
    code: 1,
  });
});

it('[MOD-6] creates a module or a surface with Node and the packages of the checkout', async () => {
  const home = directoryOfTest();
  const empty = join(home, 'empty');
  mkdirSync(empty);
  for (const [from, words, folder, file] of [
    [home, ['wordy'], 'wordy', 'module.test.ts'],
    [home, ['wordy', '--dir', 'deep/er'], 'deep/er', 'module.test.ts'],
    [empty, ['pager', '--surface', '--dir', '.'], '.', 'messenger.test.ts'],
  ] as const) {
    const target = join(from, folder);
    expect(await runInProcess(['module', 'new', ...words], from)).toEqual({
      out: `Created ${words[0]} in ${target}. Next:\n  cd ${folder} && npm install && npm test\n  npm start\n`,
      err: '',
      code: 0,
    });
    expect(readdirSync(target)).toContain(file);
    const mode = (name: string) => statSync(join(target, name)).mode & 0o777;
    expect([mode('config.yaml'), mode('package.json') & 0o600]).toEqual([0o600, 0o600]);
    const text = readFileSync(join(target, 'package.json'), 'utf8');
    expect(text).toMatch(/^\{\n {2}"name"/);
    const written = JSON.parse(text);
    const { optionalDependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
    expect(written).toMatchObject({ name: words[0], optionalDependencies });
    expect(written.dependencies).toEqual({
      '@chat-kernel/module-sdk': `file:${CHECKOUT}/packages/module-sdk`,
    });
    const readme = readFileSync(join(target, 'README.md'), 'utf8');
    expect(readme).toMatch(`# ${words[0]}\n`);
    expect(readme).not.toMatch(/\b(NAME|SDK|ROOT|HERE)\b/);
  }
});

it('rejects the name of a module that the kernel does not accept, and a folder in use', async () => {
  const home = directoryOfTest();
  const refused = async (...words: string[]) => {
    const { out, err, code } = await runInProcess(['module', 'new', ...words], home);
    expect({ out, code }).toEqual({ out: '', code: 1 });
    return err;
  };
  for (const name of ['Wordy', '1st', 'a b', 'mcp_x', 'mcp', 'x'.repeat(33), '../up'])
    expect(await refused(name)).toMatch(
      `"${name}" is not a valid module name. Use a lowercase letter, then lowercase letters, digits, _ and -, at most 32 `,
    );
  expect(readdirSync(home)).toEqual([]);
  const used = join(home, 'used');
  mkdirSync(used);
  writeFileSync(join(used, 'file'), 'mine');
  expect(await refused('used')).toBe(`${used} is not empty. Choose another folder with --dir.\n`);
  expect(await refused('wordy', '--dir', 'used/file')).toBe(
    `${used}/file already exists and is not a folder.\n`,
  );
  expect(await refused('wordy', '--dir', 'used/file/deeper')).toMatch(/^ENOTDIR: .*, stat /);
  expect(readdirSync(used)).toEqual(['file']);
  expect(existsSync(join(home, 'wordy'))).toBe(false);
});
