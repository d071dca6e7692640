/** Creates a copy of the working tree in a temporary directory: the checkout is never changed. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The packages of the workspace: links that must lead into the copy. */
const WORKSPACE = '@chat-kernel';

/** Copies tracked files, and new files that git does not ignore; other packages stay where they are installed. */
export function copyTree(root: string): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'chat-kernel-mutants-')));
  process.once('exit', () => rmSync(tree, { recursive: true, force: true }));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  for (const file of listed.split('\0').filter(name => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(root, file), join(tree, file), { verbatimSymlinks: true });
  }
  linkModules(root, tree);
  // Packages install dependencies that they cannot share in their own folder.
  for (const folder of globSync('{packages,apps,modules}/*/node_modules', { cwd: root }))
    linkModules(join(root, dirname(folder)), join(tree, dirname(folder)));
  return tree;
}

function linkModules(from: string, to: string): void {
  mkdirSync(join(to, 'node_modules'));
  for (const name of readdirSync(join(from, 'node_modules'))) {
    const target = join(from, 'node_modules', name);
    const link = join(to, 'node_modules', name);
    if (name === WORKSPACE) cpSync(target, link, { recursive: true, verbatimSymlinks: true });
    // The names of caches start with a dot, as does the folder of programs.
    else if (name === '.bin' || !name.startsWith('.')) symlinkSync(target, link);
  }
}
