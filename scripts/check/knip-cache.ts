/**
 * Removes knip's cache if it may be wrong. For each source the cache has the imports, with the files that they lead to, and
 * recognizes a changed source by its size and time. So it is wrong once files come or go, once the configuration of a
 * program or package changes, and for a source that changes without a newer time.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNIP_CACHE } from './checks.ts';
import { digestOf, type Tree } from './tree.ts';

interface Stored {
  /** Milliseconds: the cache is not older. */
  time: number;
  configuration: string;
  files: Record<string, string>;
}

/** The configuration of vitest, which knip runs, imports scripts. */
const SOURCE = /^(packages|apps|modules|test|bench|examples)\/.*\.tsx?$|\.md$/;

/** Call it before each run of knip with its cache. */
export function prepareKnipCache(root: string, tree: Tree): void {
  const folder = join(root, KNIP_CACHE);
  const path = join(folder, 'tree.json');
  const files = Object.fromEntries(tree);
  const configuration = digestOf(
    new Map([...tree].map(([file, hash]) => [file, SOURCE.test(file) ? '' : hash])),
  );
  const stored: Stored | null = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  if (stored?.configuration !== configuration || hasOldChange(root, stored, files)) {
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, JSON.stringify({ time: Date.now(), configuration, files } satisfies Stored));
}

function hasOldChange(root: string, { time, files: before }: Stored, files: Stored['files']): boolean {
  return Object.entries(files).some(
    ([file, hash]) => hash !== before[file] && statSync(join(root, file)).mtimeMs <= time,
  );
}
