/** Tests archives that unpack to more than any backup has, or name what no backup has: each is refused by its bound. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ArchiveWriter } from '../src/backup/archive-writer.ts';
import { readBounded, readLines, readShortText } from '../src/backup/bounded.ts';
import { FORMAT, HEAD } from '../src/backup/format.ts';
import { StoreError } from '../src/database/store-error.ts';
import { checkArchive, restoreStore } from '../src/index.ts';
import { NOW } from './records.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chat-kernel-bounds-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Writes an archive with these entries after its head, without an end. */
async function archiveWith(...entries: [path: string, size: number, content: Iterable<Buffer>][]) {
  const path = join(directory, 'archive');
  await rm(path, { force: true });
  const archive = new ArchiveWriter(path, Date.parse(NOW));
  const head = { format: FORMAT, version: 2, schema: 27, database: 'sqlite', made_at: NOW };
  await archive.addText(HEAD, JSON.stringify(head));
  for (const entry of entries) await archive.add(...entry);
  await archive.endSums();
  await archive.end();
  return path;
}

function* zeros(mebibytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024, '0');
  for (let n = 0; n < mebibytes; n++) yield piece;
}
const MIB = 1024 * 1024;

const text = (path: string, content: string): [string, number, Buffer[]] => [
  path,
  Buffer.byteLength(content),
  [Buffer.from(content)],
];

test.each([
  [
    'a row',
    'tables/chats/000001.jsonl',
    300,
    'a row of tables/chats/000001.jsonl has more than 167772160 bytes',
  ],
  ['checksums', 'sums/000001.sha256', 20, 'sums/000001.sha256 has more than 16777216 bytes'],
  ['a manifest', 'manifest.json', 20, 'manifest.json has more than 16777216 bytes'],
])('[SAFE-7] refuses %s of any size by its bound', async (_, path, size, reason) => {
  const file = await archiveWith([path, size * MIB, zeros(size)]);
  await expect(checkArchive(file, () => {})).rejects.toThrow(reason);
});

test('[SAFE-7] names a table that is unknown, and one that cannot be stored', async () => {
  const unknown = await archiveWith(text('tables/strangers/000001.jsonl', '{"a":1}\n'));
  await expect(checkArchive(unknown, () => {})).rejects.toThrow('knows no table "strangers"');
  const wrong = await archiveWith(text('tables/chats/000001.jsonl', '{"no_column":1}\n'));
  const place = { data_dir: join(directory, 'new'), url: null };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const restoring = restoreStore(place, { file: wrong, log, onProgress() {} });
  await expect(restoring).rejects.toThrow(StoreError);
  await expect(restoring).rejects.toThrow('The table chats of the backup');
});

test('[SAFE-7] refuses an archive that unpacks to more than a thousand times its size', async () => {
  async function* pieces() {
    const piece = Buffer.alloc(64 * MIB);
    for (let n = 0; n < 80; n++) yield piece;
  }
  const read = async (size: number) => {
    let count = 0;
    for await (const _ of readBounded(pieces(), size)) count += 1;
    return count;
  };
  await expect(read(1000)).rejects.toThrow('it unpacks to more than 4294967296 bytes');
  await expect(read(5 * MIB)).rejects.toThrow(`it unpacks to more than ${5000 * MIB} bytes`);
  expect(await read(6 * MIB)).toBe(80);
});

test('reads lines for every split of the bytes, and no text after the last one', async () => {
  const whole = Buffer.from(`${'a'.repeat(10)}\n\nж\n${'b\n'.repeat(2500)}rest`);
  for (const step of [1, 3, 1000, whole.length]) {
    async function* pieces() {
      for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step);
    }
    const groups = await Array.fromAsync(readLines(pieces(), 'table', 10));
    expect(groups.flat()).toEqual(['a'.repeat(10), '', 'ж', ...Array(2500).fill('b')]);
    expect(groups.length).toBe(3);
    await expect(Array.fromAsync(readLines(pieces(), 'table', 9))).rejects.toThrow('more than 9 bytes');
    expect(await readShortText(pieces(), 'head')).toBe(whole.toString());
  }
});
