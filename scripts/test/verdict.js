// Judges what .ci/run has run, by the journals of scripts/test/journal.ts: `node scripts/test/verdict.js SLOWNESS
// JOURNAL...`. Prints which tests failed, were retried or never started, and ends with `N passed, N failed`; exits with
// 1 unless all is well. Plain JavaScript, because it must also judge a run whose packages could not be installed.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { SLOW } from './pace.js';

/** More retried tests than this are a failure on a machine of normal speed. */
const MAX_RETRIED = 3;
/** A larger share of files that never started is a failure, unless the machine is very slow. */
const MAX_MISSED_SHARE = 0.05;
/** From this slowness on, only the files of REQUIRED must have run. */
const VERY_SLOW = 5;
const REQUIRED = /^(packages|test\/conformance)\//;

/** The tests of this journal run again in another one, and are counted there. */
const REPEATED = /quick\.jsonl$/;
/** This journal is optional: its suite gets the remaining time. */
const OPTIONAL = /heavy\.jsonl$/;

const [slownessText, ...paths] = process.argv.slice(2);
const slowness = Number(slownessText);
const failures = [];
const retried = [];
const planned = new Set();
const missed = new Set();
let passed = 0;

for (const path of paths) judge(path);

for (const failure of failures) console.log(`failed: ${failure}`);
for (const test of retried) console.log(`passed only when retried: ${test}`);
if (retried.length > MAX_RETRIED && slowness < SLOW) {
  fail(`${retried.length} tests passed only when they were retried; ${MAX_RETRIED} are tolerated`);
}
if (missed.size > 0) judgeMissed();
console.log(
  `slowness of the machine: ${slowness}; retried tests: ${retried.length}; files never begun: ${missed.size} of ${planned.size}`,
);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

/** Adds one journal to the sums. */
function judge(path) {
  const lines = readLines(path);
  const unbegun = new Set(lines.flatMap(line => (line.type === 'plan' ? line.files : [])));
  const unfinished = new Set();
  if (unbegun.size === 0) failures.push(`${basename(path)} names no test file: the run did not begin`);
  for (const line of lines) {
    if (line.type === 'begin') {
      unbegun.delete(line.file);
      unfinished.add(line.file);
    }
    if (line.type === 'end' || line.type === 'late') unfinished.delete(line.file);
    if (line.type === 'late') unbegun.add(line.file);
    if (line.type === 'test') judgeTest(line, REPEATED.test(path));
    if (line.type === 'end' && (line.error !== undefined || line.tests === 0)) {
      failures.push(`${line.file}, outside of its tests\n  ${line.error ?? 'it has no test'}`);
    }
    if (line.type === 'outside') failures.push(`an error outside of any test\n  ${line.error}`);
  }
  for (const file of unfinished) failures.push(`${file} began and did not finish`);
  if (unfinished.size === 0 && lines.length > 0 && !lines.some(line => line.type === 'over')) {
    failures.push(`the run of ${basename(path)} did not end by itself`);
  }
  for (const line of lines) if (line.type === 'plan') for (const file of line.files) planned.add(file);
  for (const file of unbegun) {
    if (OPTIONAL.test(path)) console.log(`not run at scale, because time ran out: ${file}`);
    else missed.add(file);
  }
}

/** The lines of a journal; none if there is no journal. A line that a kill has cut off is left out. */
function readLines(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map(line => JSON.parse(line));
}

/** Adds a test; a skipped one counts as a failure here. */
function judgeTest({ file, name, state, retries, error }, isCountedElsewhere) {
  if (state !== 'passed') failures.push(`${state}: ${file} > ${name}\n  ${error ?? ''}`);
  else if (!isCountedElsewhere) passed += 1;
  if (state === 'passed' && retries > 0) retried.push(`${file} > ${name}\n  ${error ?? ''}`);
}

function judgeMissed() {
  console.log('never begun, because time ran out:');
  for (const file of missed) console.log(`  ${file}`);
  const required = [...missed].filter(file => REQUIRED.test(file));
  if (slowness >= VERY_SLOW) {
    if (required.length > 0)
      fail(`${required.length} files of packages and test/conformance were never begun`);
  } else if (missed.size > MAX_MISSED_SHARE * planned.size) {
    fail(`${missed.size} of ${planned.size} files were never begun`);
  }
}

function fail(sentence) {
  console.log(`failed: ${sentence}`);
  failures.push(sentence);
}
