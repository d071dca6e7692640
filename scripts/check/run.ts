/** Runs the checks side by side and prints their outcomes in the order of the list, each with its time. */
import { spawn } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import { CHECKS, type Check } from './checks.ts';
import { rememberPassed, treeHash, wasPassed } from './passed.ts';

interface Outcome {
  passed: boolean;
  seconds: number;
  /** Text of both streams, in the order of arrival. */
  output: string;
}

const ROOT = resolve(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');

/** The exit code. @param fresh runs also what has passed on exactly these files; so does a build server (CI). */
export async function runChecks({ fresh }: { fresh: boolean }): Promise<number> {
  const tree = treeHash(ROOT);
  if (!fresh && !process.env.CI && wasPassed(ROOT, tree)) {
    console.log('nothing has changed since all checks passed (--fresh runs them all the same)');
    return 0;
  }
  const running = CHECKS.map(check => ({ check, outcome: run(check) }));
  let failed = 0;
  for (const { check, outcome } of running) {
    const { passed, seconds, output } = await outcome;
    console.log(`${passed ? 'ok  ' : 'FAIL'} ${check.name} (${seconds.toFixed(1)} s)`);
    if (passed) continue;
    failed++;
    process.stdout.write(output);
  }
  if (failed === 0) rememberPassed(ROOT, tree);
  return failed === 0 ? 0 : 1;
}

function run({ command: [program, ...words] }: Check): Promise<Outcome> {
  const begun = performance.now();
  const path = `${BIN}${delimiter}${process.env.PATH}`;
  const child = spawn(program, words, { cwd: ROOT, env: { ...process.env, PATH: path } });
  const pieces: Buffer[] = [];
  child.stdout.on('data', piece => pieces.push(piece));
  child.stderr.on('data', piece => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      const output = Buffer.concat(pieces).toString();
      resolve({ passed: code === 0, seconds: (performance.now() - begun) / 1000, output });
    });
  });
}
