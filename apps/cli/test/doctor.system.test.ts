/** The doctor as a program, next to a running kernel. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../test/harness/command.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { startKernelProcess } from '../../../test/harness/process.ts';

it('ends after it has found the running kernel, which uses the database', async () => {
  const home = directoryOfTest();
  const data = join(home, 'data');
  const kernel = await startKernelProcess({ dataDir: data });
  onTestFinished(async () => {
    await kernel.stop();
  });
  // The kernel is at another address than the configured one.
  const { out, err, code } = await runCommand(['doctor', '--data', data], home);
  expect(out).toContain(', in use by a server\n');
  expect(out).toContain(` answers at ${kernel.url}\n✓ server: streams arrive immediately (`);
  expect({ err, code }).toEqual({ err: '', code: 0 });
});
