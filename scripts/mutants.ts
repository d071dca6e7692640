/**
 * Changes the kernel in a copy of the tree, one small change (a mutant) at a time, and runs tests of the fast suite that
 * execute the changed code: `npm run test:mutants`. A mutant that no test notices shows what the tests do not prove.
 * `-- --help` prints the flags.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { filesIn } from './layers/imports.ts';
import { parse } from './mutants/ast.ts';
import { choiceOf } from './mutants/choose-tests.ts';
import { measureCoverage } from './mutants/coverage.ts';
import { type Mutation, mutationsOf } from './mutants/mutations.ts';
import { sample } from './mutants/sample.ts';
import { applyEdits } from './mutants/splice.ts';
import { TestRunner } from './mutants/test-runner.ts';
import { copyTree } from './mutants/tree.ts';

const SOURCES = ['packages/{kernel,server,settings}/src/**/*.ts', 'apps/cli/src/**/*.ts'];
/**
 * The tests that prove the behavior of these sources; those of clients, modules, pages and scripts prove something else.
 */
const TESTS = [
  'packages/*/test/**/*.test.ts',
  'apps/cli/test/**/*.test.ts',
  'test/{bounds,conformance,faults}/**/*.test.ts',
  'test/property/**/*.test.ts',
];

/** The time limit of a test file: far above what it takes on a busy machine without a mutant. */
const LIMIT_MS = 20_000;
const LIMIT_FACTOR = 5;

const HELP = `npm run test:mutants -- [flags]
  --count N     how many mutants, default 300
  --seed N      draws the same mutants again, default: a new one, which is printed
  --files N     at most so many test files for one mutant, default 8; 0: all that execute its code
  --minutes N   starts no mutant after this time
  --only A,B    of the sample only these numbers
  --list        prints the sample and runs nothing
`;

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    files: { type: 'string', default: '8' },
    minutes: { type: 'string', default: 'Infinity' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  process.stdout.write(HELP);
  process.exit();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const root = join(import.meta.dirname, '..');
const sources = new Map(filesIn(root, SOURCES).map(file => [file, readFileSync(join(root, file), 'utf8')]));
const all = [...sources].flatMap(([file, text]) => mutationsOf(file, text));
const only = flags.only?.split(',').map(Number);
const drawn = sample(all, number(flags.count, '--count'), number(flags.seed, '--seed'), parses)
  .map((mutation, index) => ({ mutation, index: index + 1 }))
  .filter(({ index }) => only?.includes(index) ?? true);
console.log(`${drawn.length} of ${all.length} mutants in ${sources.size} files, --seed ${flags.seed}`);
if (flags.list) {
  for (const { mutation, index } of drawn) console.log(`${index} ${describe(mutation)}`);
  process.exit();
}

const tree = copyTree(root);
if (!compiles()) throw new Error('The sources have type errors without a mutant: npx tsc shows them.');
const coverage = await measureCoverage(
  tree,
  sources,
  filesIn(root, TESTS).filter(file => !/\.(system|heavy)\.test\.ts$/.test(file)),
  join(root, 'node_modules/.cache/mutants'),
);
const failing = coverage.tests.filter(test => !test.passed).map(test => test.file);
console.log(
  `${coverage.tests.length} test files, of which ${failing.length} cannot be used here: ${failing.join(', ')}`,
);
const choose = choiceOf(coverage.probes, coverage.tests, number(flags.files, '--files'));

type Outcome = 'killed by a test' | 'killed by a hang' | 'killed by the compiler' | 'survived';
const OUTCOMES: readonly Outcome[] = [
  'killed by a test',
  'killed by a hang',
  'killed by the compiler',
  'survived',
];
const results: { outcome: Outcome; text: string }[] = [];
/** Files of which the runner has loaded another version. */
const changed = new Set<string>();
const runner = new TestRunner(tree);
const end = performance.now() + number(flags.minutes, '--minutes') * 60_000;
for (const { mutation, index } of drawn) {
  if (performance.now() > end) break;
  const begun = performance.now();
  const { outcome, detail } = await judge(mutation);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const text = `${index} ${describe(mutation)}\n    ${outcome}: ${detail}, ${seconds} s`;
  results.push({ outcome, text });
  console.log(text);
}
runner.close();

const survivors = results.filter(({ outcome }) => outcome === 'survived');
console.log(`\nSurvivors:\n${survivors.map(({ text }) => text).join('\n')}\n`);
console.log(`${results.length} of ${drawn.length} mutants run, --seed ${flags.seed} --files ${flags.files}`);
for (const outcome of OUTCOMES) {
  console.log(`${outcome}: ${results.filter(result => result.outcome === outcome).length}`);
}
const killed = results.length - survivors.length;
console.log(`score: ${((100 * killed) / results.length).toFixed(1)} %`);

function parses(mutation: Mutation): boolean {
  return parse(mutation.file, mutantOf(mutation)) !== undefined;
}

function mutantOf(mutation: Mutation): string {
  return applyEdits(sources.get(mutation.file)!, [mutation]);
}

/** Runs the chosen tests against the mutant until one fails. */
async function judge(mutation: Mutation): Promise<{ outcome: Outcome; detail: string }> {
  const { tests, covering } = choose(mutation);
  const original = sources.get(mutation.file)!;
  const path = join(tree, mutation.file);
  writeFileSync(path, mutantOf(mutation));
  changed.add(mutation.file);
  try {
    for (const { file, durationMs } of tests) {
      const limitMs = LIMIT_MS + LIMIT_FACTOR * durationMs;
      const result = await runner.run({ file, changed: [...changed], bail: true }, limitMs);
      changed.clear();
      if (!result) return { outcome: 'killed by a hang', detail: file };
      if (!result.passed)
        return { outcome: 'killed by a test', detail: `${file}: ${result.failedTest ?? 'the file itself'}` };
    }
    const outcome = compiles() ? 'survived' : 'killed by the compiler';
    return { outcome, detail: `${tests.length} of ${covering} test files that execute it passed` };
  } finally {
    writeFileSync(path, original);
    changed.add(mutation.file);
  }
}

/** An unused value or import is not a type error here: it says nothing about the change itself. */
function compiles(): boolean {
  const options = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  const { status, error } = spawnSync('tsc', options, { cwd: tree, stdio: 'ignore' });
  if (error) throw error;
  return status === 0;
}

function describe({ file, line, change }: Mutation): string {
  return `${file}:${line}  ${change}`;
}

function number(value: string, flag: string): number {
  const parsed = Number(value);
  if (value.trim() === '' || Number.isNaN(parsed) || parsed < 0)
    throw new Error(`${flag} takes a number, not "${value}".`);
  return parsed;
}
