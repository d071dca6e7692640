/** Tests what commands in the real bubblewrap do not see (CONSENT-5) and cannot change (CONSENT-6). */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MachinePaths, Sandbox, SecretPlaces } from '@chat-kernel/hands/own-machine';
import { describe, expect, it } from 'vitest';
import { shell } from '../src/shell.ts';
import { bubblewrapWorks } from './bubblewrap.ts';
import { type Workplace, workplace } from './workplace.ts';

/** A home directory elsewhere, and a working directory with these files. */
function machine(files: Readonly<Record<string, string>> = {}) {
  const [place, home] = [workplace(), workplace()];
  const put = (root: Workplace, name: string, content: string) => {
    mkdirSync(dirname(join(root.path, name)), { recursive: true });
    writeFileSync(join(root.path, name), content);
  };
  for (const [name, content] of Object.entries(files)) put(place, name, content);
  return { place, home, atHome: (name: string, content: string) => put(home, name, content) };
}
type Machine = ReturnType<typeof machine>;

async function sh(
  { place, home }: Machine,
  commands: string[],
  rules: string[] = [],
  exceptions = {},
): Promise<string> {
  const paths = new MachinePaths([], [], { secrets: new SecretPlaces(rules, home.path) });
  const sandbox = new Sandbox({ sandbox: 'bwrap', network: 'off' }, paths);
  const tool = shell({ paths, sandbox, timeout_secs: 30, environment: { PATH: process.env.PATH } });
  return (await tool.run({ commands, ...exceptions }, place.context)).output;
}

const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd, encoding: 'utf8' });
const COMMIT = 'git -c user.name=a -c user.email=a@b commit -q';

/** A working directory that is a repository with one commit. */
function repository(files: Readonly<Record<string, string>> = {}) {
  const made = machine({ 'a.txt': 'one\n', ...files });
  git(made.place.path, 'init', '-q', '-b', 'main');
  git(made.place.path, 'add', '-A');
  git(made.place.path, 'commit', '-q', '-m', 'first');
  return made;
}

if (!bubblewrapWorks())
  process.stdout.write('bubblewrap is missing or refused here: its guards are not tested\n');

describe.skipIf(!bubblewrapWorks())('[CONSENT-8] in the sandbox', () => {
  it('runs nothing in a directory that another command replaces while the owner is asked', async () => {
    const made = machine({ 'd/a.txt': 'one' });
    const { place, home } = made;
    home.write('private.txt', 'private');
    const workdir = join(place.path, 'd');
    const consent = async () => {
      renameSync(workdir, join(place.path, 'e'));
      symlinkSync(home.path, workdir);
      return { by_prefix: false };
    };
    const context = { ...place.context, consent, chat: { workdir, workdir_on: 'server' } };
    const where = { ...made, place: { ...place, context: context as unknown as Workplace['context'] } };
    const output = await sh(where, ['cat private.txt; touch new']);
    expect(output).toBe(`The working directory ${workdir} has become another one. Nothing runs there.`);
    expect(readdirSync(home.path)).toEqual(['private.txt']);
  });
});

describe.skipIf(!bubblewrapWorks())('[CONSENT-5] in the sandbox', () => {
  it('hides secret places of the home directory, and names one that the output is about', async () => {
    const where = machine();
    where.atHome('.ssh/id_rsa', 'hidden-1');
    where.atHome('.netrc', 'hidden-2');
    where.atHome('plain', 'visible');
    const { path } = where.home;
    // /tmp is private in the sandbox, so that the home directory of this test needs to be the working directory.
    const inHome = { ...where, place: { ...where.place, context: contextIn(path, where) } };
    const output = await sh(inHome, ['cat .ssh/id_rsa .netrc plain; ls .ssh; echo x > .ssh/new']);
    expect(output).not.toMatch(/hidden-\d/);
    expect(output).toContain('visible');
    expect(output).toMatch(/\[sandbox: hidden: \.ssh, \.netrc\]$/);
    expect(existsSync(join(path, '.ssh/new'))).toBe(false);
  });

  it('hides secret files below the working directory by their name, and names them', async () => {
    const where = machine({
      '.env': 'hidden-1',
      '.env.example': 'visible-1',
      'deep/a/.env.local': 'hidden-2',
      'keys/id_ed25519': 'hidden-3',
      'keys/id_ed25519.pub': 'visible-2',
      'cert.pem': '-----BEGIN CERTIFICATE-----\nvisible-3\n',
      'node_modules/x/.env': 'visible-4',
      shared: 'hidden-4',
    });
    symlinkSync('shared', join(where.place.path, '.env.prod'));
    const output = await sh(where, [
      'cat .env* deep/a/.env.local keys/* cert.pem node_modules/x/.env',
      'cat shared',
    ]);
    expect(output).not.toMatch(/hidden-\d/);
    expect(output.match(/visible-\d/g)).toEqual(['visible-1', 'visible-2', 'visible-3', 'visible-4']);
    expect(output).toMatch(/\[sandbox: hidden: \.env, shared, keys\/id_ed25519, deep\/a\/\.env\.local\]$/);
  });

  it('hides a file from the commands after the one that created it', async () => {
    const output = await sh(machine(), ['echo hidden-1 > .env; cat .env', 'cat .env']);
    expect(output.match(/^hidden-1$/gm)).toHaveLength(1);
    expect(output).toMatch(/\[sandbox: hidden: \.env\]$/);
  });

  it('follows the setting, also below a hidden directory', async () => {
    const where = machine({ '.env': 'visible-1', 'vault/a': 'hidden-1', 'vault/open/b': 'visible-2' });
    const vault = join(where.place.path, 'vault');
    const output = await sh(
      where,
      ['cat .env vault/a vault/open/b'],
      ['!.env', vault, `!${join(vault, 'open')}`],
    );
    expect(output).toMatch(/visible-1.*visible-2.*\[sandbox: hidden: vault\]$/s);
    expect(output).not.toContain('hidden-1');
  });

  it('runs nothing in a secret place', async () => {
    const where = machine();
    expect(await sh(where, ['touch ran'], [where.place.path])).toBe(
      `In the sandbox nothing runs in ${where.place.path}: ${where.place.path} is a secret place (keys or passwords). The user can allow it with the setting tools.secret_paths.`,
    );
  });

  it('says nothing about places that the output is not about', async () => {
    const where = machine();
    where.atHome('.ssh/id_rsa', 'x');
    expect(await sh(where, ['echo done'])).toBe('== echo done\ndone');
  });
});

describe.skipIf(!bubblewrapWorks())('[CONSENT-6] in the sandbox', () => {
  it('git works in a repository whose configuration and hooks are read-only', async () => {
    const where = repository();
    const { path } = where.place;
    const before = readFileSync(join(path, '.git/config'), 'utf8');
    const output = await sh(where, [
      `echo two >> a.txt && git add -A && ${COMMIT} -m second && git switch -q -c topic && git stash list`,
      'git config core.fsmonitor ./evil',
      'echo evil > .git/hooks/post-commit',
      'echo evil > .git/hooks/pre-commit; rm -rf .git/hooks; mv .git old; ls -d .git old',
    ]);
    expect(git(path, 'log', '--format=%s', 'topic')).toBe('second\nfirst\n');
    expect(readFileSync(join(path, '.git/config'), 'utf8')).toBe(before);
    expect(existsSync(join(path, '.git/hooks/post-commit'))).toBe(false);
    expect(existsSync(join(path, '.git'))).toBe(true);
    expect(output).toMatch(/\[sandbox: read-only: \.git\/config, \.git\/hooks\]$/);
  });

  it('commands cannot create configuration or hooks that are missing', async () => {
    const where = repository();
    const { path } = where.place;
    execFileSync('rm', ['-rf', '.git/hooks', '.git/config'], { cwd: path });
    mkdirSync(join(path, 'elsewhere'));
    await sh(where, [
      'mkdir .git/hooks; echo evil > .git/hooks/post-commit; echo evil > .git/config',
      'echo ../elsewhere > .git/commondir',
    ]);
    expect(existsSync(join(path, '.git/hooks/post-commit'))).toBe(false);
    expect(readFileSync(join(path, '.git/config'), 'utf8')).toBe('');
    expect(existsSync(join(path, '.git/commondir'))).toBe(false);
  });

  it('protects submodules, linked worktrees, nested repositories and bare ones', async () => {
    const where = repository({ 'inner/b.txt': 'x' });
    const { path } = where.place;
    git(path, 'init', '-q', 'inner');
    git(path, 'init', '-q', '--bare', '.git/modules/deep/module');
    git(path, 'worktree', 'add', '-q', 'tree');
    await sh(where, [
      'for f in inner/.git/config .git/modules/deep/module/config .git/worktrees/tree/commondir tree/.git; do echo evil > $f; done',
      'echo evil > .git/modules/deep/module/hooks/post-commit',
      `cd tree && echo x > c.txt && git add -A && ${COMMIT} -m third`,
    ]);
    for (const file of [
      'inner/.git/config',
      '.git/modules/deep/module/config',
      '.git/worktrees/tree/commondir',
      'tree/.git',
    ]) {
      expect(readFileSync(join(path, file), 'utf8')).not.toContain('evil');
    }
    expect(existsSync(join(path, '.git/modules/deep/module/hooks/post-commit'))).toBe(false);
    expect(git(path, 'log', '-1', '--format=%s', 'refs/heads/tree')).toBe('third\n');

    const bare = machine();
    git(bare.place.path, 'init', '-q', '--bare', '.');
    await sh(bare, ['git config core.fsmonitor evil; echo evil > hooks/post-receive']);
    expect(bare.place.read('config')).not.toContain('evil');
    expect(existsSync(join(bare.place.path, 'hooks/post-receive'))).toBe(false);
  });

  it('files of editors, assistants and build servers are read-only in projects, not in dependencies', async () => {
    const names = [
      '.envrc',
      '.vscode/tasks.json',
      '.mcp.json',
      '.claude/settings.json',
      'AGENTS.md',
      '.github/workflows/ci.yml',
    ];
    const files = Object.fromEntries(names.map(name => [name, 'as before']));
    const where = repository({
      ...files,
      'node_modules/x/AGENTS.md': '',
      '.github/other': '',
      'sub/AGENTS.md': '',
    });
    await sh(where, [
      ...names.map(name => `echo changed > ${name}`),
      'mv .github/workflows x; mv .github x; rm AGENTS.md',
      'echo changed | tee node_modules/x/AGENTS.md .github/other sub/AGENTS.md',
    ]);
    expect(names.map(where.place.read)).toEqual(names.map(() => 'as before'));
    for (const name of ['node_modules/x/AGENTS.md', '.github/other', 'sub/AGENTS.md']) {
      expect(where.place.read(name)).toBe('changed\n');
    }
  });

  it('a call that is allowed to write protected paths changes them, but not the configuration of git', async () => {
    const where = repository({ 'AGENTS.md': 'as before', '.vscode/tasks.json': 'as before' });
    const commands = [
      'echo new | tee AGENTS.md .vscode/tasks.json',
      'git config core.fsmonitor evil; echo x > .git/hooks/x',
    ];
    await sh(where, commands, [], { protected: true });
    expect([where.place.read('AGENTS.md'), where.place.read('.vscode/tasks.json')]).toEqual([
      'new\n',
      'new\n',
    ]);
    expect(where.place.read('.git/config')).not.toContain('evil');
    expect(existsSync(join(where.place.path, '.git/hooks/x'))).toBe(false);
  });
});

describe.skipIf(!bubblewrapWorks())(
  '[CONSENT-8] in the sandbox of a chat without a working directory',
  () => {
    it.each([
      'on',
      'off',
    ] as const)('commands see their scratch directory and uploads, and no home directory, with the network %s', async network => {
      const { home, atHome, place } = machine();
      atHome('notes', 'hidden-1');
      atHome('data/key', 'hidden-2');
      atHome('data/scratch/other/a', 'hidden-3');
      atHome('data/files/upload', 'visible-1');
      const data = join(home.path, 'data');
      const scratch = join(data, 'scratch');
      const paths = new MachinePaths([data], [join(data, 'files')], {
        secrets: new SecretPlaces([], home.path),
        scratch,
      });
      const sandbox = new Sandbox({ sandbox: 'bwrap', network }, paths);
      const tool = shell({ paths, sandbox, timeout_secs: 30, environment: { PATH: process.env.PATH } });
      const chat = { id: 'one', workdir: null, workdir_on: 'server' };
      const context = { ...place.context, chat } as Workplace['context'];
      const { output } = await tool.run(
        {
          commands: [
            `pwd; echo $HOME; cd ${home.path}; ls -A; cat notes data/key data/scratch/*/a data/files/upload`,
            `echo kept > a.txt; git init -q .; echo x > ${home.path}/x; echo x > ${scratch}/x`,
            'cat a.txt; git config a.b c',
          ],
        },
        context,
      );
      const own = join(scratch, 'one');
      expect(output).toContain(`\n${own}\n${own}\ndata\n`);
      expect(output).not.toMatch(/hidden-\d/);
      expect(output).toMatch(/visible-1.*\nkept\n.*config/s);
      expect(readdirSync(scratch).toSorted()).toEqual(['one', 'other']);
      expect(readFileSync(join(own, 'a.txt'), 'utf8')).toBe('kept\n');
      expect(existsSync(join(home.path, 'x'))).toBe(false);
    });
  },
);

/** The context of calls in another directory. */
function contextIn(path: string, { place }: Machine): Workplace['context'] {
  return { ...place.context, chat: { ...place.context.chat, workdir: path } };
}
