/** Remembers the state of the tree on which all checks passed: the same files with the same packages pass again. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MEMORY = '.cache/checks-passed';
/** npm's own record of what is installed. */
const INSTALLED = 'node_modules/.package-lock.json';

/** Over the Node, the installed packages and every file that git does not ignore. */
export function treeHash(root: string): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = new Set(listed.toString().split('\0'));
  const hash = createHash('sha256').update(process.version);
  for (const file of [INSTALLED, ...[...files].sort()]) {
    const path = join(root, file);
    hash.update(`\0${file}\0`);
    // A deleted file is still listed.
    if (file && existsSync(path)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

export function wasPassed(root: string, tree: string): boolean {
  const memory = join(root, MEMORY);
  return existsSync(memory) && readFileSync(memory, 'utf8') === tree;
}

export function rememberPassed(root: string, tree: string): void {
  const memory = join(root, MEMORY);
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, tree);
}
