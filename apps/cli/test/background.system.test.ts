/** Kernels in the background: two concurrent starts, and the error if one fails. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { startInBackground } from '../src/commands/background.ts';

/** Ends the kernel of this data directory, as its owner would. */
async function stop(data: string): Promise<void> {
  const pids = spawnSync('pgrep', ['-f', data], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
  for (const pid of pids) process.kill(pid, 'SIGTERM');
  await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([]);
}
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('runs one kernel for two simultaneous starts, and both clients use it', { timeout: 120_000 }, async () => {
  const data = directoryOfTest();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = { host: '127.0.0.1', port: String(port), data };
  onTestFinished(() => stop(data));
  const start = async () => (await startInBackground(flags, data)).url;
  expect(await Promise.all([start(), start()])).toEqual([url, url]);
  expect(statSync(join(data, 'kernel.log')).mode & 0o777).toBe(0o600);
});

it('reports why a kernel exited immediately, without log lines of earlier kernels', {
  timeout: 600_000,
}, async () => {
  const data = directoryOfTest();
  writeFileSync(join(data, 'kernel.log'), 'words of an older one\n');
  const port = await freePort();
  const flags = { host: '127.0.0.1', port: String(port), data, set: ['no.such=1'] };
  const starting = startInBackground(flags, data);
  await expect(starting).rejects.toThrow(/^The kernel did not start: (?!words)[\s\S]*no\.such/);
  expect(readFileSync(join(data, 'kernel.log'), 'utf8')).toContain('words of an older one');
});
