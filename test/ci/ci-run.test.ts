/** Tests with planted faults that `.ci/run` never reports success for something that it did not see finish. */
import { expect, it } from 'vitest';
import { PATIENT } from '../harness/patient.ts';
import { runCi } from './project.ts';

const file = (...tests: string[]): string => `import { test } from 'vitest';\n${tests.join('\n')}\n`;
const GOOD = file("test('is good', () => {});");
/** Fails in its first attempt and passes in its second. */
const unsteady = (name: string): string =>
  `let ${name} = 0;\ntest('${name}', () => { if (${name}++ === 0) throw new Error('not yet'); });`;
/** The planted run measures the machine itself, while other tests load it. */
const slownessIn = (output: string): number => Number(/slowness of the machine: ([\d.]+)/.exec(output)?.[1]);

it('reports success when all tests pass, with at most three retries', PATIENT, async () => {
  const { code, output, lastLine } = await runCi({
    'good.test.ts': GOOD,
    'unsteady.test.ts': file(unsteady('one'), unsteady('two'), unsteady('three')),
  });
  expect(output).toContain('passed only when retried: test/all/unsteady.test.ts > two\n  Error: not yet');
  expect(output).toMatch(/retried tests: 3; files never begun: 0 of 4\n/);
  expect([lastLine, code]).toEqual(['5 passed, 0 failed', 0]);
});

it('fails with a fourth retried test', PATIENT, async () => {
  const names = ['one', 'two', 'three', 'four'];
  const { code, output, lastLine } = await runCi({ 'unsteady.test.ts': file(...names.map(unsteady)) });
  // A slow machine only lists them.
  expect([lastLine, code]).toEqual(
    slownessIn(output) >= 2 ? ['5 passed, 0 failed', 0] : ['5 passed, 1 failed', 1],
  );
});

it('names crashed, rejected, skipped, unloadable and failed tests', PATIENT, async () => {
  const { code, output, lastLine } = await runCi({
    'crash.test.ts': file("test('crashes', () => process.kill(process.pid, 'SIGKILL'));"),
    'fails.test.ts': file("test('fails', () => { throw new Error('planted'); });"),
    'good.test.ts': GOOD,
    'hook.test.ts': `import { afterAll, test } from 'vitest';\nafterAll(() => { throw new Error('no end'); });\n${GOOD.split('\n')[1]}`,
    'load.test.ts': "throw new Error('no start');",
    'rejection.test.ts': file(
      "test('leaves a rejection', () => void Promise.reject(new Error('left alone')));",
    ),
    'skips.test.ts': file("test.skip('is skipped', () => {});"),
  });
  expect(output).toContain('failed: test/all/crash.test.ts began and did not finish');
  expect(output).toContain('failed: failed: test/all/fails.test.ts > fails\n  Error: planted');
  expect(output).toContain('failed: test/all/hook.test.ts, outside of its tests\n  Error: no end');
  expect(output).toContain('failed: test/all/load.test.ts, outside of its tests\n  Error: no start');
  expect(output).toMatch(/failed: an error outside of any test\n {2}Error: left alone/);
  expect(output).toContain('failed: skipped: test/all/skips.test.ts > is skipped');
  expect(lastLine).toBe('4 passed, 7 failed');
  expect(code).toBe(1);
});

it('names the file that was still running at the deadline', PATIENT, async () => {
  const files = { 'good.test.ts': GOOD, 'hang.test.ts': file("test('hangs', () => { for (;;); });") };
  const { code, output, lastLine } = await runCi(files, { CI_TESTS_END: '25' });
  expect(output).toContain('failed: test/all/hang.test.ts began and did not finish');
  expect([lastLine, code]).toEqual(['2 passed, 1 failed', 1]);
});

it('fails if more than a twentieth of the files never started', PATIENT, async () => {
  const { code, output, lastLine } = await runCi({ 'good.test.ts': GOOD }, { CI_TESTS_LAST_BEGIN: '-1' });
  expect(output).toContain(
    'never begun, because time ran out:\n  test/quick/good.test.ts\n  test/all/good.test.ts',
  );
  // On a very slow machine only the packages and the conformance tests must run, and this project has none.
  const isVerySlow = slownessIn(output) >= 5;
  expect([lastLine, code]).toEqual(isVerySlow ? ['1 passed, 0 failed', 0] : ['1 passed, 1 failed', 1]);
});

it('fails when a check fails before the tests', PATIENT, async () => {
  const { code, output, lastLine } = await runCi(
    { 'good.test.ts': GOOD },
    {},
    'false && vitest run test/all',
  );
  expect(output).toContain('failed: tests.jsonl names no test file: the run did not begin');
  expect([lastLine, code]).toEqual(['1 passed, 1 failed', 1]);
});
