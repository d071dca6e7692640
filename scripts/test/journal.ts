/**
 * A vitest reporter that records the start and end of tests as they occur, so that a run that is ended from outside
 * still shows what it did not finish. `.ci/run` reads the journal with `scripts/test/verdict.js`. At the end it prints
 * the seed of the order and the slowest files.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite, Vitest } from 'vitest/node';
import { TOO_LATE } from './last-begin.ts';

const SLOWEST_FILES = 20;
/** A run without any event for this long hangs: a file blocks its process, so that no timeout of a test fires. */
const HANG_MS = 1000 * Number(process.env.TEST_HANG_SECS ?? 900);

/** One line of the journal. A file is its project and its path from the root of the checkout: `fast test/a.test.ts`. */
type JournalLine =
  | { type: 'plan'; files: string[] }
  | { type: 'begin'; file: string }
  /** The id is the same in each run of the same file. */
  | { type: 'test'; file: string; id: string; name: string; state: string; error?: string }
  | { type: 'end'; file: string; state: string; tests: number; ms: number; error?: string }
  /** A file that would have begun after the deadline for starting files. */
  | { type: 'late'; file: string }
  /** An error outside of tests: of a hook, or one that no promise or event handles. The file is not always known. */
  | { type: 'outside'; file?: string; error: string }
  | { type: 'over' };

export class TestJournal implements Reporter {
  /** The file that receives the lines; without one, only the summary is printed. */
  readonly #path = process.env.TEST_JOURNAL || undefined;
  readonly #begun = new Map<string, number>();
  readonly #durations: { file: string; ms: number }[] = [];
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
    const files = specifications.map(({ moduleId, project }) => this.#name(project.name, moduleId));
    this.#write({ type: 'plan', files });
    if (this.#path !== undefined) this.#hangTimer = setInterval(() => this.#endHungRun(), 1000).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    const file = this.#nameOf(module);
    this.#begun.set(file, performance.now());
    this.#write({ type: 'begin', file });
  }

  onTestCaseResult(test: TestCase): void {
    const file = this.#nameOf(test.module);
    const { state, errors } = test.result();
    const error = errors?.[0] === undefined ? undefined : describeError(errors[0]);
    this.#write({ type: 'test', file, id: test.id, name: test.fullName, state, error });
  }

  onTestSuiteResult(suite: TestSuite): void {
    const file = this.#nameOf(suite.module);
    for (const error of suite.errors()) this.#write({ type: 'outside', file, error: describeError(error) });
  }

  onTestModuleEnd(module: TestModule): void {
    const file = this.#nameOf(module);
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

  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    clearInterval(this.#hangTimer);
    for (const error of outside) {
      const path: unknown = error.VITEST_TEST_PATH;
      const module = modules.find(({ moduleId }) => moduleId === path);
      const file = module && this.#nameOf(module);
      this.#write({ type: 'outside', file, error: describeError(error) });
    }
    this.#write({ type: 'over' });
    const slowest = this.#durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES);
    print(`\norder of the tests: --sequence.seed=${this.#vitest?.config.sequence.seed}`);
    print('slowest files:');
    for (const { file, ms } of slowest) print(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
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

  #nameOf({ project, moduleId }: TestModule): string {
    return this.#name(project.name, moduleId);
  }

  #name(project: string, moduleId: string): string {
    return `${project} ${relative(this.#vitest?.config.root ?? process.cwd(), moduleId)}`;
  }
}

/** Without its stack if the error has a cause, which then tells more. */
function describeError({ message, stack, cause }: SerializedError): string {
  const reason: SerializedError | undefined = cause;
  if (reason?.message !== undefined) return `${message} ${reason.message}`.slice(0, 2000);
  return (stack?.includes(message) ? stack : message).slice(0, 2000);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
