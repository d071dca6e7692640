/** Tests files of a kernel process: uploads that a stop or a kill interrupts, and its memory. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
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

test('[FILE-1] [FILE-3] two hundred megabytes are uploaded and downloaded without staying in memory', {
  timeout: 600_000,
}, async () => {
  const size = 200 * 1024 * 1024;
  const program = await startKernelProcess({ settings: { files: { max_bytes: size } } });
  onTestFinished(async () => void (await program.stop()));
  // Build the document before the measurement: the first request creates it.
  await program.api.document();
  const before = memoryFrom(program.pid);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const sending = request(`${program.url}/v1/files`, { method: 'POST' });
  const answered = once(sending, 'response');
  await pipeline(function* () {
    for (let sent = 0; sent < size; sent += piece.length) yield piece;
  }, sending);
  const [answer] = (await answered) as [IncomingMessage];
  const file = (await json(answer)) as { id: string; size: number };
  expect(file.size).toBe(size);
  const afterUpload = peakMemory(program.pid);
  let read = 0;
  const got = await fetch(`${program.url}/files/${file.id}`);
  for await (const chunk of got.body!) read += chunk.length;
  expect(read).toBe(size);
  const after = peakMemory(program.pid);
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  stdout.write(
    `peak memory: ${mb(before)}, after the upload ${mb(afterUpload)}, after the download ${mb(after)}\n`,
  );
  expect(afterUpload - before).toBeLessThan(60e6);
  // V8 frees data read from the disk late; the whole file must never be in memory.
  expect(after - before).toBeLessThan(120e6);
});

/** All files that the kernel has on disk, including partial ones. */
function stored(dataDir: string): string[] {
  const directory = join(dataDir, 'files');
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
}

/** Current memory of the process in bytes; resets its peak. */
function memoryFrom(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peakMemory(pid);
}

/** Peak memory of the process in bytes. */
function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
