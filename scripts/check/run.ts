/** Runs the checks concurrently and prints their results in the order of the list, each with its time. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { CHECKS } from './checks.ts';
import { prepareKnipCache } from './knip-cache.ts';
import { commandFor, passedOn, readMemory, writeMemory } from './passed.ts';
import { digestOf, treeOf } from './tree.ts';

interface Outcome {
  passed: boolean;
  seconds: number;
  /** Text of both streams, in the order of arrival. */
  output: string;
}

const ROOT = resolve(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');
/** The memory of what passed, and the caches of the programs. */
const CACHE = join(ROOT, '.cache/checks');
const ENVIRONMENT = {
  PATH: `${BIN}${delimiter}${process.env.PATH}`,
  // Scripts need not strip and compile again what has not changed.
  NODE_COMPILE_CACHE: join(CACHE, 'node'),
  // The compiler, a Go program, needs a quarter less time if it frees memory only beyond this, its usual peak.
  GOGC: 'off',
  GOMEMLIMIT: '3GiB',
};

/** Returns the exit code. @param fresh runs all checks without caches; a build server (CI) does so, too */
export async function runChecks({ fresh }: { fresh: boolean }): Promise<number> {
  if (fresh || process.env.CI) rmSync(CACHE, { recursive: true, force: true });
  const tree = treeOf(ROOT);
  const memory = readMemory(ROOT);
  const running = CHECKS.map(check => {
    const command = commandFor(tree, check, memory[check.name]);
    if (command && check.cached) prepareKnipCache(ROOT, tree);
    return { check, outcome: command && run([...command, ...(check.cached ?? [])]) };
  });
  if (running.every(({ outcome }) => outcome === null)) {
    console.log('nothing has changed since all checks passed (--fresh runs them all the same)');
    return 0;
  }
  let failed = 0;
  for (const { check, outcome } of running) {
    const result = await outcome;
    if (!result) {
      console.log(`ok   ${check.name} (unchanged)`);
      continue;
    }
    console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${check.name} (${result.seconds.toFixed(1)} s)`);
    if (result.passed) {
      memory[check.name] = passedOn(tree, check);
    } else {
      failed++;
      process.stdout.write(result.output);
    }
  }
  // If a file has changed since, it is unknown which content the checks saw.
  if (digestOf(treeOf(ROOT)) === digestOf(tree)) writeMemory(ROOT, memory);
  return failed === 0 ? 0 : 1;
}

function run([program, ...words]: readonly [string, ...string[]]): Promise<Outcome> {
  const begun = performance.now();
  const child = spawn(program, words, { cwd: ROOT, env: { ...process.env, ...ENVIRONMENT } });
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
