/** Hashes what the checks depend on: the Node version, the installed packages and every file that git does not ignore. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path from the root → hash of its content. */
export type Tree = ReadonlyMap<string, string>;

/** npm's own record of what is installed. */
const INSTALLED = 'node_modules/.package-lock.json';

export function treeOf(root: string): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = [...new Set(listed.toString().split('\0'))].filter(file => file !== '');
  const tree = new Map<string, string>();
  for (const file of [INSTALLED, ...files.sort()]) {
    const path = join(root, file);
    // git still lists a deleted file.
    if (existsSync(path)) tree.set(file, hashOf(process.version, readFileSync(path)));
  }
  return tree;
}

/** One hash of the files for which `reads` is true, with their names. */
export function digestOf(tree: Tree, reads: (file: string) => boolean = () => true): string {
  return hashOf(...[...tree].filter(([file]) => reads(file)).flat());
}

function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64url');
}
