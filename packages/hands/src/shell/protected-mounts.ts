/**
 * Finds the protected paths of a working directory and of the repositories in it (CONSENT-6). Programs outside of the
 * sandbox run what these files say, so commands in it may only read them.
 */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin } from '../machine/machine-path.ts';

/** Files and directories that editors, assistants, shells and build servers read. */
const IN_PROJECTS = [
  '.envrc',
  '.vscode',
  '.idea',
  '.husky',
  '.mcp.json',
  '.claude',
  '.codex',
  '.agents',
  'AGENTS.md',
  '.github/workflows',
  '.service/MEMORY.md',
];
/** In a git directory: what makes git run programs, or read its configuration from elsewhere. */
const IN_GIT = ['config', 'config.worktree', 'hooks', 'commondir'];
/** Submodules may have names with several steps. */
const MODULE_DEPTH = 4;
const MAX_MODULES = 50;

interface ProtectedMounts {
  /** Directories that must not be moved: otherwise a command could put something else in their place. */
  pinned: string[];
  readOnly: string[];
  /** Files that git directories did not have, and that must not be there after the command. */
  unwanted: string[];
}

/**
 * Creates an empty `config` and `hooks` in a repository that has none, so that no command can create them.
 * @param cwd real path
 * @param repositories directories with an entry `.git`
 * @param mayChangeProjects true: only the configuration and hooks of git are protected
 */
export async function protectedMounts(
  cwd: string,
  repositories: readonly string[],
  mayChangeProjects = false,
): Promise<ProtectedMounts> {
  const pinned: string[] = [];
  const readOnly: string[] = [];
  const unwanted: string[] = [];
  for (const root of new Set([cwd, ...repositories])) {
    for (const path of (mayChangeProjects ? [] : IN_PROJECTS)
      .map(name => join(root, name))
      .filter(existsSync)) {
      if (dirname(path) !== root) pinned.push(dirname(path));
      readOnly.push(path);
    }
    const git = join(root, '.git');
    // In a linked worktree or a submodule it is a file that names the directory.
    if (isFile(git)) readOnly.push(git);
    for (const directory of [...(isGitDirectory(root) ? [root] : []), ...gitDirectories(git)]) {
      await completeGitDirectory(directory);
      if (directory !== cwd) pinned.push(directory);
      readOnly.push(...IN_GIT.map(name => join(directory, name)).filter(existsSync));
      const common = join(directory, 'commondir');
      if (!existsSync(common)) unwanted.push(common);
    }
  }
  // A link is not replaced by a mount: what it leads to is protected, if a command could write it.
  const real = (paths: readonly string[]) =>
    [...new Set(paths.map(path => realpathSync(path)))].filter(path => isWithin(path, cwd));
  return { pinned: real(pinned), readOnly: real(readOnly), unwanted };
}

/** Removes the unwanted files that a command has created. */
export async function removeUnwanted(unwanted: readonly string[]): Promise<void> {
  await Promise.all(unwanted.map(path => rm(path, { recursive: true, force: true })));
}

/** Returns a git directory with those of its submodules and linked worktrees. */
function gitDirectories(git: string): string[] {
  if (!isGitDirectory(git)) return [];
  const worktrees = directoriesIn(join(git, 'worktrees'));
  return [git, ...modulesIn(join(git, 'modules'), MODULE_DEPTH).slice(0, MAX_MODULES), ...worktrees];
}

function modulesIn(directory: string, depth: number): string[] {
  if (depth === 0) return [];
  return directoriesIn(directory).flatMap(path =>
    isGitDirectory(path) ? gitDirectories(path) : modulesIn(path, depth - 1),
  );
}

async function completeGitDirectory(directory: string): Promise<void> {
  // A linked worktree has its configuration and its hooks in the main directory.
  if (!isGitDirectory(directory)) return;
  const config = join(directory, 'config');
  try {
    await mkdir(join(directory, 'hooks'), { recursive: true });
    await writeFile(config, '', { flag: 'a' });
    // Git reads this file only if the configuration says so.
    if (/worktreeconfig/i.test(await readFile(config, 'utf8'))) {
      await writeFile(join(directory, 'config.worktree'), '', { flag: 'a' });
    }
  } catch (error) {
    // If the kernel may not create a file, neither may the command.
    if (!(error instanceof Error && 'code' in error && DENIED.includes(String(error.code)))) throw error;
  }
}

const DENIED = ['EACCES', 'EPERM', 'EROFS'];

const isGitDirectory = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => existsSync(join(path, name)));

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function directoriesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter(entry => entry.isDirectory()).map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}
