/** Tests with planted faults that `.ci/run` never reports success for something that it did not see finish. */
import { expect, it } from 'vitest';
import { PATIENT } from '../harness/patient.ts';
import { runCi } from './project.ts';

const file = (...tests: string[]): string => `import { test } from 'vitest';\n${tests.join('\n')}\n`;
const GOOD = file("test('is good', () => {});");
const FAILS = file("test('fails', () => { throw new Error('planted'); });");
/** A test or a hook that fails in its first attempt and passes in the later ones. */
const once = (call: 'test' | 'beforeAll', name: string): string =>
  `import { existsSync, writeFileSync } from 'node:fs';
import { beforeAll, test } from 'vitest';
${call}(${call === 'test' ? `'${name}', ` : ''}() => {
  if (existsSync('${name}')) return;
  writeFileSync('${name}', '');
  throw new Error('not yet');
});\n`;

/** A fast test that does what only the system suite may do. */
const reaches = (imports: string, work: string): string =>
  `${imports};\nimport { test } from 'vitest';\ntest('reaches out', async () => { ${work} }, 1000);`;

it(
  'reports success when each failed test of the system suite passes in a run of its file, and names it',
  PATIENT,
  async () => {
    const { code, output, lastLine } = await runCi({
      'hook.system.test.ts': `${once('beforeAll', 'hook')}test('is good', () => {});`,
      'one.system.test.ts': once('test', 'one'),
    });
    expect(output).toContain('unstable: system test/one.system.test.ts > one\n  Error: not yet');
    expect(output).toContain(
      'unstable: system test/hook.system.test.ts, outside of its tests\n  Error: not yet',
    );
    expect(output).toContain('unstable tests: 2; files not begun: 0 of 4\n');
    expect([lastLine, code]).toEqual(['4 passed, 0 failed', 0]);
  },
);

it(
  'names crashed, rejected, skipped, unloadable and failed tests, and fast tests that reach out, which it does not retry',
  PATIENT,
  async () => {
    const { code, output, lastLine } = await runCi({
      'crash.system.test.ts': file("test('crashes', () => process.kill(process.pid, 'SIGKILL'));"),
      'fails.system.test.ts': FAILS,
      'hook.test.ts': `import { afterAll, test } from 'vitest';\nafterAll(() => { throw new Error('no end'); });\n${GOOD.split('\n')[1]}`,
      'load.test.ts': "throw new Error('no start');",
      'once.test.ts': once('test', 'once'),
      'rejection.system.test.ts': file(
        "test('leaves a rejection', () => void Promise.reject(new Error('left alone')));",
      ),
      'connects.test.ts': reaches(
        "import { connect } from 'node:net'",
        "try { connect(1, '192.0.2.1'); } catch {}",
      ),
      'opens.test.ts': reaches("import pg from 'pg'", 'await new pg.Client().connect();'),
      'program.test.ts': reaches(
        "import { exec } from 'node:child_process'",
        "try { exec('true'); } catch {}",
      ),
      'sleeps.test.ts': reaches(
        "import { setTimeout as sleep } from 'node:timers/promises'",
        'await sleep(100); await sleep(201);',
      ),
      'skips.test.ts': file("test.skip('is skipped', () => {});"),
      'skips.system.test.ts': file("test.skip('is skipped', () => {});"),
    });
    expect(output).toContain('trying again (2 of 2): system test/fails.system.test.ts');
    expect(output).toMatch(
      /failed: system test\/crash\.system\.test\.ts, outside of its tests\n {2}it began and did not finish\n.*Worker exited unexpectedly with signal SIGKILL/,
    );
    expect(output).toContain('failed: system test/fails.system.test.ts > fails\n  Error: planted');
    expect(output).toContain('failed: fast test/hook.test.ts, outside of its tests\n  Error: no end');
    expect(output).toContain('failed: fast test/once.test.ts > once\n  Error: not yet');
    expect(output).not.toMatch(/trying again.*: fast /);
    expect(output).toContain('failed: fast test/load.test.ts, outside of its tests\n  Error: no start');
    expect(output).toContain(
      'failed: system test/rejection.system.test.ts, outside of its tests\n  Error: left alone',
    );
    expect(output).toContain('failed: fast test/skips.test.ts > is skipped\n  skipped');
    expect(output).toContain('failed: system test/skips.system.test.ts > is skipped\n  skipped');
    // A fast test starts no program, connects to no other machine, opens no Postgres and does not wait for time.
    const elsewhere = 'A test that needs this belongs in a file whose name ends with .system.test.ts.';
    expect(output).toContain(
      `Error: The fast suite connects only to this machine, not to 192.0.2.1.\n${elsewhere}`,
    );
    expect(output).toContain(`Error: The fast suite opens no Postgres. ${elsewhere}`);
    expect(output).toContain(`Error: The fast suite starts no program, such as /bin/sh.\n${elsewhere}`);
    expect(output).toContain('Error: No timer of more than 200 ms ends in the fast suite.');
    expect(output).toContain('201 ms at ');
    expect(lastLine).toBe('4 passed, 12 failed');
    expect(code).toBe(1);
  },
);

it('names the file that was still running at the deadline', PATIENT, async () => {
  const files = { 'hang.system.test.ts': file("test('hangs', () => { for (;;); });") };
  const { code, output, lastLine } = await runCi(files, { CI_TESTS_END: '25', CI_END: '35' });
  expect(output).toContain(
    'failed: system test/hang.system.test.ts, outside of its tests\n  it began and did not finish',
  );
  expect([lastLine, code]).toEqual(['2 passed, 1 failed', 1]);
});

it('names files that did not begin, and fails if one of them is in the fast suite', PATIENT, async () => {
  const { code, output } = await runCi({}, { CI_LAST_BEGIN: '-1' });
  expect(output).toContain('not begun, because time ran out: system test/good.system.test.ts');
  expect(output).toContain('failed: fast test/good.test.ts did not begin in time');
  expect(output).not.toContain('failed: system');
  expect(output).toContain('files not begun: 2 of 2');
  expect(code).toBe(1);
});

it('fails if the run ends before it has begun every file', PATIENT, async () => {
  // The first file ends the process of vitest, and passes when it is retried. Long files, as in test/mail, begin last.
  const ends =
    "if (!existsSync('mark')) { writeFileSync('mark', ''); process.kill(process.ppid, 'SIGKILL'); }";
  const first = `import { existsSync, writeFileSync } from 'node:fs';\n${file(`test('ends', () => { ${ends} });`)}`;
  const others = Array.from({ length: 20 }, (_, n) => [`mail/other-${n}.system.test.ts`, GOOD]);
  const { code, output } = await runCi({ 'first.system.test.ts': first, ...Object.fromEntries(others) });
  expect(output).toContain('failed: system.jsonl did not end on its own');
  expect(code).toBe(1);
});

it('fails when a check fails before the tests', PATIENT, async () => {
  const { code, output, lastLine } = await runCi({}, {}, 'false && vitest run --project fast');
  expect(output).toContain('failed: fast.jsonl names no test file: the run did not begin');
  expect([lastLine, code]).toEqual(['1 passed, 1 failed', 1]);
});
