/**
 * Tests that a file of a gigabyte (at scale; a quarter of it in a normal run) passes through a kernel with a few dozen
 * megabytes for it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { bytesOf, exchange } from '../harness/http.ts';
import { PATIENT } from '../harness/patient.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { atScale } from '../harness/scale.ts';
import { megabytes, memoryFrom, noMemory, peakMemory } from './memory.ts';

const MIB = 1024 ** 2;
const SIZE = atScale(256, 1024) * MIB;
const CUT = atScale(150, 300) * MIB;
/** Bytes that a file of any size may add to the memory of the kernel. */
const LIMIT = 60e6;
/** For downloads V8 frees buffers later, so this limit is higher, but still independent of the size of the file. */
const LIMIT_OUT = 120e6;

const PIECE = randomBytes(MIB);

describe.skipIf(noMemory)('[FILE-1] [FILE-3] a file larger than the memory of its kernel', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let kernel: KernelProcess;
  beforeAll(async () => {
    directory = temporaryDirectory();
    checkRoom(directory.path, SIZE + CUT + 64 * MIB);
    kernel = await startKernelProcess({
      dataDir: directory.path,
      settings: { files: { max_bytes: SIZE + MIB } },
    });
  });
  afterAll(async () => {
    await kernel?.stop();
    directory.remove();
  });

  test('[FILE-1] [FILE-3] is stored and returned completely without staying in memory', PATIENT, async () => {
    const before = memoryFrom(kernel.pid);
    const began = performance.now();
    const upload = begin(kernel.url);
    const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
    const sent = await send(upload, SIZE);
    upload.end();
    const [answer] = await answered;
    const file = JSON.parse((await bytesOf(answer)).toString());
    expect([answer.statusCode, file.size]).toEqual([201, SIZE]);
    expect(stored(directory.path)).toBe(SIZE);
    const up = peakMemory(kernel.pid) - before;
    const uploaded = performance.now();

    const again = memoryFrom(kernel.pid);
    expect(await received(`${kernel.url}/files/${file.id}`)).toEqual({ size: SIZE, sha256: sent });
    const down = peakMemory(kernel.pid) - again;
    const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
    process.stdout.write(
      `${megabytes(SIZE)} in: ${seconds(began, uploaded)}, added ${megabytes(up)}; ` +
        `out: ${seconds(uploaded, performance.now())}, added ${megabytes(down)} to ${megabytes(again)} ` +
        `(before all: ${megabytes(before)})\n`,
    );
    expect(up).toBeLessThan(LIMIT);
    expect(down).toBeLessThan(LIMIT_OUT);
  });

  test('[FILE-1] leaves no bytes of an interrupted upload', async () => {
    const before = memoryFrom(kernel.pid);
    const others = stored(directory.path);
    const upload = begin(kernel.url);
    // The request also fails on this side, and its response is not awaited.
    upload.on('error', () => {});
    await send(upload, CUT);
    await expect.poll(() => stored(directory.path)).toBeGreaterThan(others + CUT - 64 * MIB);
    upload.destroy();
    await expect.poll(() => stored(directory.path), { timeout: 30_000 }).toBe(others);
    expect(peakMemory(kernel.pid) - before).toBeLessThan(LIMIT);
  });
});

function checkRoom(path: string, needed: number): void {
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize >= needed) return;
  throw new Error(
    `This test writes files of 1 GiB and 300 MiB: ${path} has room for ${megabytes(bavail * bsize)}, ` +
      `and ${megabytes(needed)} are needed. Make room, or set TMPDIR to where there is some.`,
  );
}

/** Starts the upload of a file without announcing its size. */
function begin(url: string): ClientRequest {
  const headers = { 'content-type': 'application/octet-stream', 'x-file-name': 'gigabyte.bin' };
  return request(`${url}/v1/files`, { method: 'POST', headers, agent: false });
}

/** Writes this many bytes as fast as they are accepted; returns their SHA-256. Rejects if the connection breaks. */
async function send(upload: ClientRequest, size: number): Promise<string> {
  const hash = createHash('sha256');
  for (let sent = 0; sent < size; sent += PIECE.length) {
    hash.update(PIECE);
    if (!upload.write(PIECE)) await once(upload, 'drain');
  }
  return hash.digest('hex');
}

async function received(address: string): Promise<{ size: number; sha256: string }> {
  const answer = await exchange(address, { method: 'GET' });
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of answer) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Bytes in the kernel's folder of files, including partial and leftover files. */
function stored(dataDir: string): number {
  const files = join(dataDir, 'files');
  if (!existsSync(files)) return 0;
  return readdirSync(files, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
