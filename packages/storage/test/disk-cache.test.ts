/** Tests the cache of remote bytes on a real disk: each piece is fetched once, completely, and within a limit. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bytesOf } from '../../../test/harness/varied-bytes.ts';
import { DiskCache } from '../src/bytes/disk-cache.ts';

const MIB = 1024 * 1024;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

async function newDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'chat-kernel-cache-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('the cache', () => {
  const PIECE = 2 * MIB;

  /** Remote bytes that count their requests. */
  function remote(id: string, bytes: Buffer) {
    const asked: number[] = [];
    return {
      id,
      size: bytes.length,
      asked,
      async load({ start, end }: { start: number; end: number }) {
        asked.push(start);
        return Readable.from([bytes.subarray(start, end + 1)]);
      },
    };
  }
  const all = async (cache: DiskCache, from: ReturnType<typeof remote>) => {
    const stream = await cache.stream(from);
    return stream && (await buffer(stream));
  };
  const filesIn = (directory: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());

  test('[FLEET-5] fetches a piece once for two simultaneous readers, and not again after a restart', async () => {
    const directory = join(await newDirectory(), 'cache');
    const bytes = bytesOf(PIECE + 10);
    const from = remote(crypto.randomUUID(), bytes);
    const cache = new DiskCache(directory, 100 * MIB, quiet);
    const both = await Promise.all([all(cache, from), all(cache, from)]);
    for (const read of both) expect(bytes.equals(read ?? Buffer.alloc(0))).toBe(true);
    expect(from.asked.sort((a, b) => a - b)).toEqual([0, PIECE]);
    for (const { parentPath, name } of filesIn(directory))
      expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
    const later = remote(from.id, bytes);
    expect(
      bytes.equals((await all(new DiskCache(directory, 100 * MIB, quiet), later)) ?? Buffer.alloc(0)),
    ).toBe(true);
    expect(later.asked).toEqual([]);
  });

  test('[FLEET-5] fetches a piece again if a crash has truncated it', async () => {
    const directory = await newDirectory();
    const bytes = bytesOf(5000);
    const from = remote(crypto.randomUUID(), bytes);
    await all(new DiskCache(directory, MIB, quiet), from);
    const { parentPath, name } = filesIn(directory)[0]!;
    const path = join(parentPath, name);
    const whole = readFileSync(path);
    const torn = Buffer.from(whole);
    torn.fill(0, 3000);
    for (const left of [whole.subarray(0, 100), torn, Buffer.alloc(0)]) {
      writeFileSync(path, left);
      writeFileSync(`${path}.part`, 'half');
      expect(bytes.equals((await all(new DiskCache(directory, MIB, quiet), from)) ?? Buffer.alloc(0))).toBe(
        true,
      );
      expect(filesIn(directory).map(entry => entry.name)).toEqual([name]);
    }
    expect(from.asked).toHaveLength(4);
  });

  test('[FLEET-5] stays within its limit, and evicts the least recently used pieces first', async () => {
    const directory = await newDirectory();
    const cache = new DiskCache(directory, 2500, quiet);
    const [a, b, c, large] = [1000, 1000, 1000, 2497].map(size => remote(crypto.randomUUID(), bytesOf(size)));
    for (const from of [a, b, a, c, a, b]) await all(cache, from!);
    expect([a, b, c].map(from => from!.asked.length)).toEqual([1, 2, 1]);
    await all(cache, large!);
    const kept = filesIn(directory).reduce(
      (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
      0,
    );
    expect(kept).toBeLessThanOrEqual(2500);
    await cache.drop(a!.id);
    await cache.drop(b!.id);
    expect(filesIn(directory)).toEqual([]);
  });

  test('[FLEET-5] serves reads if its disk rejects writes', async () => {
    const file = join(await newDirectory(), 'a file');
    writeFileSync(file, '');
    const from = remote(crypto.randomUUID(), bytesOf(5000));
    const cache = new DiskCache(join(file, 'below'), MIB, quiet);
    for (let time = 1; time <= 2; time++) {
      expect(bytesOf(5000).equals((await all(cache, from)) ?? Buffer.alloc(0))).toBe(true);
      expect(from.asked).toHaveLength(time);
    }
  });
});
