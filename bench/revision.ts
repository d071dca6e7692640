/** Prepares another revision of this repository: a separate work tree in the temporary directory. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from './folders.ts';
import { CHECKOUT } from './kernel.ts';
import { refuse } from './options.ts';

const LOCK = 'package-lock.json';

interface Revision {
  /** Its name in the table: the requested name, if that is short. */
  name: string;
  root: string;
}

/**
 * Checks the revision out; the work tree is removed when the bench ends. Ends the process if the revision does not
 * exist.
 */
export function checkOut(revision: string): Revision {
  const commit = attempt(() => git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`));
  if (commit === undefined) refuse(`There is no revision ${revision}.`);
  const root = join(newFolder(), 'tree');
  addWorkTree(commit, root);
  // Before its folder is removed, because git keeps a list of its work trees.
  process.prependListener('exit', () => removeWorkTree(root));
  if (read(join(root, LOCK)) === read(join(CHECKOUT, LOCK))) linkPackages(root);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 2, 2] });
  return { name: revision.length > 12 ? commit.slice(0, 8) : revision, root };
}

/** Returns the output of git in the checkout. Throws if it fails. */
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

/**
 * Lets a work tree use the packages installed in the checkout, without a second installation. The packages of this
 * repository are those of the work tree, which may differ from the checkout.
 */
export function linkPackages(root: string): void {
  const folders = workspaces(root);
  for (const folder of ['.', ...folders]) {
    const from = join(CHECKOUT, folder, 'node_modules');
    if (existsSync(from)) linkFolder(from, join(root, folder, 'node_modules'));
  }
  for (const folder of folders) {
    const { name } = JSON.parse(read(join(root, folder, 'package.json')));
    symlinkSync(join(root, folder), join(root, 'node_modules', name));
  }
}

const workspaces = (root: string): string[] =>
  globSync('{packages,apps,modules}/*/package.json', { cwd: root }).map(file => dirname(file));

/** Links each entry separately, except links, which are packages of this repository. Caches are left out. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.name.startsWith('@')) linkFolder(source, join(to, entry.name));
    else if (!entry.isSymbolicLink() && (!entry.name.startsWith('.') || entry.name === '.bin'))
      symlinkSync(source, join(to, entry.name));
  }
}
