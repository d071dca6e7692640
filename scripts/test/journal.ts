/**
 * A vitest reporter that records the start and end of tests as they occur, so that a run that is ended from outside
 * still shows what it did not finish. `.ci/run` reads the journal with `scripts/test/verdict.js`. At the end it prints
 * the seed of the order, the slowest files and every test that passed only when it was retried.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { TOO_LATE } from './last-begin.ts';

const SLOWEST_FILES = 20;
/** A run without any event for this long hangs: a file blocks its process, so that no timeout of a test fires. */
const HANG_MS = 1000 * Number(process.env.TEST_HANG_SECS ?? 900);

/** One line of the journal. File names are relative to the root of the checkout. */
type JournalLine =
  | { type: 'plan'; files: string[] }
  | { type: 'begin'; file: string }
  | { type: 'test'; file: string; name: string; state: string; retries: number; error?: string }
  | { type: 'end'; file: string; state: string; tests: number; ms: number; error?: string }
  /** A file that would have begun after the deadline for starting files. */
  | { type: 'late'; file: string }
  | { type: 'outside'; error: string }
  | { type: 'over' };

export class TestJournal implements Reporter {
  /** The file that receives the lines; without one, only the summary is printed. */
  readonly #path = process.env.TEST_JOURNAL || undefined;
  readonly #begun = new Map<string, number>();
  readonly #durations: { file: string; ms: number }[] = [];
  readonly #retried: string[] = [];
  #vitest: Vitest | undefined;
  #lastEvent = 0;
  #hangTimer: NodeJS.Timeout | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    if (this.#path === undefined) return;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, '');
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#write({ type: 'plan', files: specifications.map(({ moduleId }) => this.#name(moduleId)) });
    if (this.#path !== undefined) this.#hangTimer = setInterval(() => this.#endHungRun(), 1000).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    const file = this.#name(module.moduleId);
    this.#begun.set(file, performance.now());
    this.#write({ type: 'begin', file });
  }

  onTestCaseResult(test: TestCase): void {
    const file = this.#name(test.module.moduleId);
    const { state, errors } = test.result();
    const retries = test.diagnostic()?.retryCount ?? 0;
    const error = errors?.[0] === undefined ? undefined : describeError(errors[0]);
    this.#write({ type: 'test', file, name: test.fullName, state, retries, error });
    if (retries > 0 && state === 'passed') {
      this.#retried.push(
        `${file} > ${test.fullName}\n    ${error?.split('\n')[0] ?? 'no error is recorded'}`,
      );
    }
  }

  onTestModuleEnd(module: TestModule): void {
    const file = this.#name(module.moduleId);
    const ms = Math.round(performance.now() - (this.#begun.get(file) ?? performance.now()));
    this.#durations.push({ file, ms });
    const [error] = module.errors();
    const tests = [...module.children.allTests()].length;
    if (error?.message === TOO_LATE) this.#write({ type: 'late', file });
    else
      this.#write({
        type: 'end',
        file,
        state: module.state(),
        tests,
        ms,
        error: error && describeError(error),
      });
  }

  onTestRunEnd(_modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    clearInterval(this.#hangTimer);
    for (const error of outside) this.#write({ type: 'outside', error: describeError(error) });
    this.#write({ type: 'over' });
    const slowest = this.#durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES);
    print(`\norder of the tests: --sequence.seed=${this.#vitest?.config.sequence.seed}`);
    print('slowest files:');
    for (const { file, ms } of slowest) print(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
    for (const each of this.#retried) print(`passed only when retried: ${each}`);
  }

  #endHungRun(): void {
    if (performance.now() - this.#lastEvent < HANG_MS) return;
    print(`no test has ended for ${HANG_MS / 1000} s: the run hangs`);
    process.exit(1);
  }

  #write(line: JournalLine): void {
    this.#lastEvent = performance.now();
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }

  #name(moduleId: string): string {
    return relative(this.#vitest?.config.root ?? process.cwd(), moduleId);
  }
}

function describeError(error: { message: string; stack?: string }): string {
  return (error.stack?.includes(error.message) ? error.stack : error.message).slice(0, 2000);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
