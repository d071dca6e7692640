// Judges what .ci/run has run: `node scripts/test/verdict.js SLOWNESS SECONDS JOURNAL...`. Runs each file with a failure
// again, alone and in a new process, at most twice and at most for these seconds in all; but no file of the fast suite. A
// test that passes then is unstable. Prints failed and unstable tests and files that did not begin, and ends with
// `N passed, N failed`; exits with 1 unless all is well. Plain JavaScript, because it must also judge a run whose packages
// could not be installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Attempts, PASSED } from './attempts.js';

const MAX_RETRIES = 2;
const MAX_RETRY_SECS = 600;
const MAX_ERROR_LINES = 8;

const [slowness, seconds, ...journals] = process.argv.slice(2);
const deadline = Date.now() + 1000 * Number(seconds);
const attempts = new Attempts();
for (const path of journals) attempts.add(path, basename(path));

/** @param file project and path, as the journals name it */
const isFast = file => file.startsWith('fast ');
const isFailing = ({ results }) => !results.includes(PASSED);
const isUnstable = ({ results }) => results.includes(PASSED) && results.some(each => each !== PASSED);

for (const file of failingFiles()) if (!isFast(file)) retry(file);

const all = everything();
const failing = all.filter(isFailing);
const missed = [...attempts.planned].filter(file => !attempts.files.has(file));
const failures = [
  ...failing.map(describe),
  ...attempts.failures,
  ...missed.filter(isFast).map(file => `${file} did not begin in time`),
];
const unstable = all.filter(isUnstable);
const passed = [...attempts.tests.values()].filter(test => !isFailing(test)).length;

for (const each of unstable) console.log(`unstable: ${describe(each)}`);
for (const file of missed) console.log(`not begun, because time ran out: ${file}`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(
  `slowness of the machine: ${slowness}; unstable tests: ${unstable.length}; ` +
    `files not begun: ${missed.length} of ${attempts.planned.size}`,
);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

/** Returns all tests, and each file for what is outside of its tests. */
function everything() {
  const files = [...attempts.files].map(([file, results]) => ({ file, results }));
  return [...files, ...attempts.tests.values()];
}

/** Returns the files with a failure. */
function failingFiles() {
  const failing = everything().filter(isFailing);
  return [...new Set(failing.map(({ file }) => file))];
}

/** Runs only this file until each of its tests has passed once. */
function retry(file) {
  const program = resolve('.cache/test-program/bin/chat-kernel.js');
  for (let n = 1; n <= MAX_RETRIES && failingFiles().includes(file); n++) {
    const left = Math.floor((deadline - Date.now()) / 1000);
    if (left <= 0) return console.log(`not tried again, because time ran out: ${file}`);
    const journal = join(dirname(resolve(journals[0])), `retry-${n}-${file.replaceAll(/[/ ]/g, '-')}.jsonl`);
    const limit = String(Math.min(left, MAX_RETRY_SECS));
    console.log(`trying again (${n} of ${MAX_RETRIES}): ${file}`);
    const [project, path] = file.split(' ');
    const vitest = ['npx', 'vitest', 'run', '--project', project, resolve(path)];
    spawnSync('timeout', ['--kill-after=30', limit, ...vitest], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        TEST_JOURNAL: journal,
        TEST_LAST_BEGIN: undefined,
        // The first run has built it.
        ...(existsSync(program) && { TEST_PROGRAM: program }),
      },
    });
    attempts.add(journal);
  }
}

/** Names a test, or a file for what is outside of its tests, with the first lines of its first error. */
function describe({ file, name, results }) {
  const error = results
    .find(each => each !== PASSED)
    .split('\n')
    .slice(0, MAX_ERROR_LINES)
    .join('\n');
  return `${name === undefined ? `${file}, outside of its tests` : `${file} > ${name}`}\n  ${error}`;
}
