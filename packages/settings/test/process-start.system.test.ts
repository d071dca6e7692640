/** Tests how a running process is identified: a process number alone may be reused. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { getProcessStart } from '../src/process-start.ts';

it('gives a running process the same start each time, and none to one that has ended', async () => {
  expect(getProcessStart(process.pid)).toBe(getProcessStart(process.pid));
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  expect(getProcessStart(child.pid as number)).toBeUndefined();
});

it.runIf(process.platform === 'linux')(
  'names the boot of the machine in the start, because another boot reuses process numbers and ticks',
  () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(getProcessStart(process.pid)).toMatch(new RegExp(`^${boot} \\d+$`));
  },
);
