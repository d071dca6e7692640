/** Tests how scripts/audit.js judges what `npm audit` reports. The npm here is a program that prints such a report. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs the script with an npm that prints this; the arguments of npm are in `asked`. */
function audit(printed: string) {
  const folder = directoryOfTest();
  writeFileSync(join(folder, 'printed'), printed);
  const npm = `#!/bin/sh\necho "$@" >"${folder}/asked"\ncat "${folder}/printed"\nexit 1\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/audit.js')], {
    env: { PATH: `${folder}:/bin:/usr/bin` },
    encoding: 'utf8',
  });
  const asked = readFileSync(join(folder, 'asked'), 'utf8');
  return { status, output: stdout + stderr, asked };
}

it.each([
  [
    'a registry without this service',
    JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } }),
    '405 Method Not Allowed',
  ],
  ['an npm that prints nothing', '', 'npm gave no report'],
])('says that nothing was checked with %s', (_, printed, reason) => {
  const { status, output } = audit(printed);
  expect(output).toBe(`npm audit: not checked (${reason})\n`);
  expect(status).toBe(0);
});

it('passes without a severe defect in what ships', () => {
  const vulnerabilities = { a: { name: 'a', severity: 'moderate' } };
  const { status, output, asked } = audit(JSON.stringify({ vulnerabilities }));
  expect(output).toBe('npm audit: no severe defect is known in the packages that ship\n');
  expect(status).toBe(0);
  expect(asked).toContain('--omit=dev');
});

it('fails with a severe one', () => {
  const vulnerabilities = {
    a: { name: 'a', severity: 'high' },
    b: { name: 'b', severity: 'low' },
    c: { name: 'c', severity: 'critical' },
  };
  const { status, output } = audit(JSON.stringify({ vulnerabilities }));
  expect(output).toBe('npm audit: severe defects are known: a (high), c (critical)\n');
  expect(status).toBe(1);
});

it('is asked by the build server', () => {
  const run = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  expect(run).toMatch(/^node scripts\/audit\.js$/m);
});
