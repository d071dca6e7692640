/** Tests how a running process is identified: a process number alone may be reused. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { getProcessStart } from '../src/process-start.ts';

it('gives a running process the same start each time, and none to one that has ended', async () => {
  expect(getProcessStart(process.pid)).toBe(getProcessStart(process.pid));
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  expect(getProcessStart(child.pid as number)).toBeUndefined();
});
