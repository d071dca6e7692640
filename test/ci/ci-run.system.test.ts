/** Tests with planted faults that `.ci/run` never reports success for something that it did not see finish. */
import { expect, it } from 'vitest';
import { PATIENT } from '../harness/patient.ts';
import { runCi } from './project.ts';

const file = (...tests: string[]): string => `import { test } from 'vitest';\n${tests.join('\n')}\n`;
const GOOD = file("test('is good', () => {});");
const FAILS = file("test('fails', () => { throw new Error('planted'); });");
/** A file that starts something real. */
const program = (text: string): string => `import 'node:child_process';\n${text}`;
/** A test or a hook that fails in its first attempt and passes in the later ones. */
const once = (call: 'test' | 'beforeAll', name: string): string =>
  `import { existsSync, writeFileSync } from 'node:fs';
import { beforeAll, test } from 'vitest';
${call}(${call === 'test' ? `'${name}', ` : ''}() => {
  if (existsSync('${name}')) return;
  writeFileSync('${name}', '');
  throw new Error('not yet');
});\n`;

it(
  'reports success when each failed test passes in a run of its file, and names these tests',
  PATIENT,
  async () => {
    const { code, output, lastLine } = await runCi({
      'good.test.ts': GOOD,
      'hook.test.ts': `${once('beforeAll', 'hook')}test('is good', () => {});`,
      'one.test.ts': once('test', 'one'),
      'two.test.ts': program(once('test', 'two')),
    });
    expect(output).toContain('unstable: test/all/one.test.ts > one\n  Error: not yet');
    expect(output).toContain('unstable: test/all/two.test.ts > two\n  Error: not yet');
    expect(output).toContain('unstable: test/all/hook.test.ts, outside of its tests\n  Error: not yet');
    expect(output).toContain('unstable tests: 3; tolerated files: 0; files not begun: 0 of 5\n');
    expect([lastLine, code]).toEqual(['5 passed, 0 failed', 0]);
  },
);

it('names crashed, rejected, skipped, unloadable and failed tests', PATIENT, async () => {
  const { code, output, lastLine } = await runCi({
    'crash.test.ts': file("test('crashes', () => process.kill(process.pid, 'SIGKILL'));"),
    'fails.test.ts': FAILS,
    'good.test.ts': GOOD,
    'hook.test.ts': `import { afterAll, test } from 'vitest';\nafterAll(() => { throw new Error('no end'); });\n${GOOD.split('\n')[1]}`,
    'load.test.ts': "throw new Error('no start');",
    'rejection.test.ts': file(
      "test('leaves a rejection', () => void Promise.reject(new Error('left alone')));",
    ),
    'skips.test.ts': file("test.skip('is skipped', () => {});"),
    'skipped-program.test.ts': program(file("test.skip('is skipped', () => {});")),
  });
  expect(output).toContain('trying again (2 of 2): test/all/fails.test.ts');
  expect(output).toContain(
    'failed: test/all/crash.test.ts, outside of its tests\n  it began and did not finish',
  );
  expect(output).toContain('failed: test/all/fails.test.ts > fails\n  Error: planted');
  expect(output).toContain('failed: test/all/hook.test.ts, outside of its tests\n  Error: no end');
  expect(output).toContain('failed: test/all/load.test.ts, outside of its tests\n  Error: no start');
  expect(output).toContain('failed: test/all/rejection.test.ts, outside of its tests\n  Error: left alone');
  expect(output).toContain('failed: test/all/skips.test.ts > is skipped\n  skipped');
  expect(output).toContain('failed: test/all/skipped-program.test.ts > is skipped\n  skipped');
  expect(lastLine).toBe('4 passed, 7 failed');
  expect(code).toBe(1);
});

it('tolerates up to five failing files that start programs, and names them', PATIENT, async () => {
  const programs = [1, 2, 3, 4, 5].map(n => [`program-${n}.test.ts`, program(FAILS)]);
  const five = await runCi({ 'good.test.ts': GOOD, ...Object.fromEntries(programs) });
  expect(five.output).toContain(
    'failing, tolerated until part 26: test/all/program-1.test.ts > fails\n  Error: planted',
  );
  expect(five.output).toContain('tolerated files: 5;');
  expect([five.lastLine, five.code]).toEqual(['2 passed, 0 failed', 0]);
  const six = await runCi({ ...Object.fromEntries(programs), 'program-6.test.ts': program(FAILS) });
  expect([six.lastLine, six.code]).toEqual(['1 passed, 6 failed', 1]);
});

it('names the file that was still running at the deadline', PATIENT, async () => {
  const files = { 'good.test.ts': GOOD, 'hang.test.ts': file("test('hangs', () => { for (;;); });") };
  const { code, output, lastLine } = await runCi(files, { CI_TESTS_END: '25', CI_END: '35' });
  expect(output).toContain(
    'failed: test/all/hang.test.ts, outside of its tests\n  it began and did not finish',
  );
  expect([lastLine, code]).toEqual(['2 passed, 1 failed', 1]);
});

it('names files that did not begin, and fails if one of them runs in one process', PATIENT, async () => {
  const late = { CI_LAST_BEGIN: '-1' };
  const both = await runCi({ 'good.test.ts': GOOD, 'program.test.ts': program(GOOD) }, late);
  expect(both.output).toContain('not begun, because time ran out: test/all/program.test.ts');
  expect(both.output).toContain('failed: test/all/good.test.ts did not begin in time');
  expect(both.output).toContain('files not begun: 3 of 3');
  expect(both.code).toBe(1);
});

it('fails if the run ends before it has begun every file', PATIENT, async () => {
  // The first file ends the process of vitest, and passes when it is retried.
  const ends =
    "if (!existsSync('mark')) { writeFileSync('mark', ''); process.kill(process.ppid, 'SIGKILL'); }";
  const first = `import { existsSync, writeFileSync } from 'node:fs';\n${file(`test('ends', () => { ${ends} });`)}`;
  const others = Array.from({ length: 20 }, (_, n) => [`other-${n}.test.ts`, program(GOOD)]);
  const { code, output } = await runCi({ 'first.test.ts': first, ...Object.fromEntries(others) });
  expect(output).toContain('failed: tests.jsonl did not end on its own');
  expect(code).toBe(1);
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
