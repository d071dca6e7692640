import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernelProcess } from '../harness/process.ts';

test('[FILE-2] removes an upload that a kill of the kernel interrupted', async () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const first = await startKernelProcess({ dataDir: path });
  const outgoing = request(`${first.url}/v1/files`, { method: 'POST' });
  outgoing.on('error', () => {});
  outgoing.write(Buffer.alloc(50_000));
  await expect.poll(() => stored(path).length).toBe(1);
  await first.kill();
  expect(stored(path)).toHaveLength(1);
  const second = await startKernelProcess({ dataDir: path });
  onTestFinished(async () => void (await second.stop()));
  expect(stored(path)).toEqual([]);
});

test('[FILE-1] stops the kernel during an upload, and removes the upload', async () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const program = await startKernelProcess({ dataDir: path });
  const outgoing = request(`${program.url}/v1/files`, { method: 'POST' });
  outgoing.on('error', () => {});
  outgoing.write(Buffer.alloc(50_000));
  await expect.poll(() => stored(path).length).toBe(1);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  expect(stored(path)).toEqual([]);
  expect(program.log()).not.toMatch(/"level":("error"|50)/);
});

/** All files that the kernel has on disk, including partial ones. */
function stored(dataDir: string): string[] {
  const directory = join(dataDir, 'files');
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
}
