// Collects the results of test files and tests from the journals of scripts/test/journal.ts, over all attempts. Plain
// JavaScript, because it must also read the journals of a run whose packages could not be installed.
import { existsSync, readFileSync } from 'node:fs';

export const PASSED = '';
export const SKIPPED = 'skipped';
const UNFINISHED = 'it began and did not finish';

/** A result is PASSED, SKIPPED or the text of an error. */
export class Attempts {
  /** The files that the runs have planned: project and path, as in all that follows. */
  planned = new Set();
  /** One result per attempt for all that is outside of the tests of a file. A file that did not begin has none. */
  files = new Map();
  /** `{file, name, results}` by the id of the test. */
  tests = new Map();
  /** Errors without a file. */
  failures = [];

  /** Adds a journal. @param {string} name of its run; a run without tests or an end is a failure */
  add(path, name) {
    const lines = readLines(path);
    const results = fileResults(lines);
    for (const line of lines) {
      if (line.type === 'plan') for (const file of line.files) this.planned.add(file);
      if (line.type === 'test') this.#addTest(line, results.get(line.file));
    }
    for (const [file, result] of results) this.files.set(file, [...(this.files.get(file) ?? []), result]);
    if (name !== undefined) this.#addRun(name, lines, results);
  }

  #addTest({ file, id, name, state, error }, fileResult) {
    // A failed hook or a crash is the reason, and a failure already.
    if (state === SKIPPED && fileResult !== PASSED) return;
    const test = this.tests.get(id) ?? { file, name, results: [] };
    test.results.push(state === 'passed' ? PASSED : (error ?? state));
    this.tests.set(id, test);
  }

  #addRun(name, lines, results) {
    const of = type => lines.filter(line => line.type === type);
    const planned = of('plan').flatMap(({ files }) => files);
    if (planned.length === 0) this.failures.push(`${name} names no test file: the run did not begin`);
    const late = new Set(of('late').map(({ file }) => file));
    const isLost = planned.some(file => !results.has(file) && !late.has(file));
    // A file that crashed or blocked its process explains a missing end and an error without a file. It is a failure already.
    const isExplained = [...results.values()].some(result => result.startsWith(UNFINISHED));
    if (planned.length > 0 && of('over').length === 0 && (isLost || !isExplained)) {
      this.failures.push(`${name} did not end on its own`);
    }
    for (const { file, error } of of('outside')) {
      if (file === undefined && !isExplained) this.failures.push(`an error outside of any test\n  ${error}`);
    }
  }
}

/** The lines of a journal; none if it does not exist. A last line that a kill has cut off is left out. */
function readLines(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map(line => JSON.parse(line));
}

/** Returns the result of each file that began, apart from its tests. */
function fileResults(lines) {
  const results = new Map();
  // The exit of a process is reported without the file that ended it.
  const errors = lines.filter(({ type, file }) => type === 'outside' && file === undefined);
  const unfinished = [UNFINISHED, ...errors.map(({ error }) => error)].join('\n  ');
  for (const { type, file, error, tests } of lines) {
    if (type === 'begin') results.set(file, unfinished);
    if (type === 'late') results.delete(file);
    if (type === 'end') results.set(file, error ?? (tests === 0 ? 'it has no test' : PASSED));
  }
  for (const { type, file, error } of lines) {
    if (type === 'outside' && file !== undefined) results.set(file, error);
  }
  return results;
}
