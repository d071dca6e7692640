/** Another revision of this repository, ready to run: a work tree of its own in the temporary directory. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { newFolder } from './folders.ts';
import { CHECKOUT } from './kernel.ts';
import { refuse } from './options.ts';

const LOCK = 'package-lock.json';

interface Revision {
  /** What the table calls it: the name that was asked for, where that is short. */
  name: string;
  root: string;
}

/** Checks the revision out; the work tree goes when the bench ends. Ends the process where there is no such revision. */
export function checkOut(revision: string): Revision {
  const commit = attempt(() => git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`));
  if (commit === undefined) refuse(`There is no revision ${revision}.`);
  const root = join(newFolder(), 'tree');
  addWorkTree(commit, root);
  // Before its folder goes: git keeps a list of its work trees.
  process.prependListener('exit', () => removeWorkTree(root));
  if (read(join(root, LOCK)) === read(join(CHECKOUT, LOCK))) linkPackages(root);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 2, 2] });
  return { name: revision.length > 12 ? commit.slice(0, 8) : revision, root };
}

/** What git prints in the checkout. Throws where it fails. */
export const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

export function addWorkTree(commit: string, root: string): void {
  git('worktree', 'add', '--quiet', '--detach', root, commit);
}

export function removeWorkTree(root: string): void {
  git('worktree', 'remove', '--force', root);
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** Lets a work tree use the packages of the checkout, without a second installation. */
export function linkPackages(root: string): void {
  for (const folder of ['.', ...workspaces(root)]) {
    const from = join(CHECKOUT, folder, 'node_modules');
    if (existsSync(from)) linkFolder(from, join(root, folder, 'node_modules'), root);
  }
}

function workspaces(root: string): string[] {
  return ['packages', 'apps'].flatMap(group => readdirSync(join(root, group)).map(name => join(group, name)));
}

/** Links each entry by itself: a package of this repository has to be the other revision's. Caches stay behind. */
function linkFolder(from: string, to: string, root: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.name.startsWith('@')) linkFolder(source, join(to, entry.name), root);
    else if (entry.isSymbolicLink()) symlinkSync(join(root, inCheckout(source)), join(to, entry.name));
    else if (!entry.name.startsWith('.') || entry.name === '.bin') symlinkSync(source, join(to, entry.name));
  }
}

const inCheckout = (link: string): string => relative(realpathSync(CHECKOUT), realpathSync(link));
