// Adds up vitest's JSON reports for .ci/run: `node scripts/tally.js REPORT...`. Of a file that is in several reports the last
// one counts. Prints one line, `PASSED FAILED`, then the files with a failed test, one a line; what failed goes to stderr.
// Plain JavaScript, since it also has to run where the tests could not.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const files = new Map();
let outside = 0;
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  for (const file of report.testResults) {
    files.set(relative(process.cwd(), file.name), file);
  }
  if (!report.success && report.testResults.every(file => file.status === 'passed')) {
    outside += 1;
    process.stderr.write(`an error outside of any test: see the output of ${path}\n`);
  }
}

let passed = 0;
let failed = outside;
const broken = [];
for (const [name, file] of files) {
  // A skipped test is a failure here.
  const bad = file.assertionResults.filter(test => test.status !== 'passed');
  passed += file.assertionResults.length - bad.length;
  // A file that could not be loaded has no tests that could fail.
  failed += file.status === 'failed' ? Math.max(1, bad.length) : bad.length;
  for (const test of bad) {
    process.stderr.write(
      `${test.status}: ${name} > ${test.fullName}\n  ${(test.failureMessages?.[0] ?? '').slice(0, 2000)}\n`,
    );
  }
  if (bad.length > 0 || file.status === 'failed') {
    process.stderr.write(bad.length > 0 ? '' : `failed: ${name}\n  ${(file.message ?? '').slice(0, 2000)}\n`);
    broken.push(name);
  }
}
process.stdout.write([`${passed} ${failed}`, ...broken, ''].join('\n'));
