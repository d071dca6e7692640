/** Tests archives: missing and damaged bytes, long names, the place of a restore, and that no table is omitted. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ArchiveWriter } from '../src/backup/archive-writer.ts';
import { FORMAT, HEAD, parseEntryPath } from '../src/backup/format.ts';
import { TABLES } from '../src/backup/tables.ts';
import { END_OF_TAR, readTar, tarHeader, tarPadding } from '../src/backup/tar.ts';
import { backupStore, checkArchive, openStore, type Progress, restoreStore } from '../src/index.ts';
import { NOW } from './records.ts';
import { Stage } from './stage.ts';

describe('a backup', () => {
  const stage = new Stage();
  let elsewhere: string;
  beforeEach(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), 'chat-kernel-storage-'));
  });
  afterEach(() => rm(elsewhere, { recursive: true }));

  const file = () => join(elsewhere, 'kept');
  const back = (onProgress: (progress: Progress) => void = () => {}) =>
    backupStore({ data_dir: stage.data_dir, url: null }, { file: file(), clock: stage.clock, onProgress });
  /** Closes the store, and opens the restored archive. */
  async function restored() {
    const data_dir = join(elsewhere, 'new');
    await restoreStore({ data_dir, url: null }, { file: file(), log: stage.log, onProgress() {} });
    await stage.store.close();
    stage.store = await openStore({ data_dir, url: null, log: stage.log, clock: stage.clock });
    return { store: stage.store, data_dir };
  }
  /** Two files, the smaller id first. */
  async function twoFiles(): Promise<string[]> {
    const ids = [crypto.randomUUID(), crypto.randomUUID()].sort();
    for (const id of ids) {
      const record = { id, name: 'a.txt', media_type: 'text/plain', created_at: NOW };
      await stage.store.files.save(record, once(id));
    }
    return ids;
  }
  const pathOf = (id: string) => join(stage.data_dir, 'files', id.slice(0, 2), id);

  test('has no row of a file deleted during the backup, and the first start deletes its bytes', async () => {
    const [first, second] = (await twoFiles()) as [string, string];
    let removed = false;
    const { manifest } = await back(({ doing }) => {
      if (doing !== 'files' || removed) return;
      removed = true;
      // The kernel does so in this order.
      const other = new DatabaseSync(join(stage.data_dir, 'chat-kernel.db'));
      other.exec('delete from files');
      other.close();
      for (const id of [first, second]) rmSync(pathOf(id), { recursive: true });
    });
    expect(manifest.bytes.files).toEqual({ count: 1, size: first.length, missing: 0 });
    expect(manifest.tables).toMatchObject({ files: 0, leftovers: 1 });
    const { store, data_dir } = await restored();
    expect(await store.files.get(first)).toBeUndefined();
    expect(await readdir(join(data_dir, 'files', first.slice(0, 2)))).toEqual([]);
    expect(stage.logged).toEqual({ info: [], warn: [], error: [] });
  });

  test('counts missing bytes, which stay missing after a restore', async () => {
    const [first, second] = (await twoFiles()) as [string, string];
    rmSync(pathOf(second), { recursive: true });
    const { manifest } = await back();
    expect(manifest.bytes.files).toEqual({ count: 1, size: first.length, missing: 1 });
    const { store } = await restored();
    for (const id of [first, second]) {
      const record = await store.files.get(id);
      expect(record).toMatchObject({ id, name: 'a.txt' });
      const bytes = await store.files.read(record as never);
      expect(bytes && (await buffer(bytes)).toString()).toBe(id === first ? id : undefined);
    }
  });

  test('reports a failed write with a message, and leaves no file', async () => {
    const target = join(elsewhere, 'nowhere', 'kept');
    const place = { data_dir: stage.data_dir, url: null };
    await expect(backupStore(place, { file: target, clock: stage.clock, onProgress() {} })).rejects.toThrow(
      /^The backup .*kept can't be made: ENOENT/,
    );
    const gone = { data_dir: elsewhere, url: null };
    await expect(backupStore(gone, { file: file(), clock: stage.clock, onProgress() {} })).rejects.toThrow(
      /^The database .* is not there\.$/,
    );
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('replaces an older one once it is complete', async () => {
    await back();
    const { size } = statSync(file());
    await stage.history(50);
    await back();
    expect(statSync(file()).size).toBeGreaterThan(size);
    expect(existsSync(`${file()}.part`)).toBe(false);
  });

  test('[SAFE-1] is accepted if it is complete, and otherwise rejected with its defect', async () => {
    await stage.chat({ title: 'Zürich' });
    const [id] = (await twoFiles()) as [string];
    await back();
    const check = (path = file()) => checkArchive(path, () => {});
    expect((await check()).manifest.tables).toMatchObject({ chats: 1, files: 2 });
    const bytes = zstdDecompressSync(readFileSync(file()));
    const damaged = async (change: (copy: Buffer) => Buffer) => {
      writeFileSync(file(), zstdCompressSync(change(Buffer.from(bytes))));
      return check().then(
        () => 'accepted',
        ({ message }: Error) => message,
      );
    };
    const flipped = (at: number) =>
      damaged(copy => {
        copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
        return copy;
      });
    // A byte in a row, one in a file, and one in a header.
    expect(await flipped(bytes.indexOf('Zürich'))).toMatch(
      /^The backup .*kept is damaged: the checksum of tables\/chats\/000001\.jsonl does not match/,
    );
    const content = bytes.indexOf(id, bytes.indexOf(`${id}/a.txt`) + 1);
    expect(await flipped(content)).toMatch(/the checksum of files\/.* does not match/);
    expect(await flipped(bytes.indexOf('manifest.json'))).toMatch(/a header is not as it was written/);
    expect(await damaged(copy => copy.subarray(0, copy.indexOf('manifest.json')))).toMatch(
      /it ends too early/,
    );
    writeFileSync(file(), 'This is no backup.');
    await expect(check()).rejects.toThrow(/kept is no backup of a chat-kernel, /);
    await expect(check(join(elsewhere, 'nowhere'))).rejects.toThrow(/nowhere can't be read: ENOENT/);
  });

  test('[SAFE-1] is restored only into an empty directory, which stays empty if the archive is damaged', async () => {
    await back();
    const restore = (data_dir: string, from = file()) =>
      restoreStore({ data_dir, url: null }, { file: from, log: stage.log, onProgress() {} });
    await stage.store.close();
    await expect(restore(stage.data_dir)).rejects.toThrow(/ is not empty \(.*\): a backup is restored into /);
    const strange = join(elsewhere, 'strange');
    await mkdir(strange);
    writeFileSync(join(strange, 'letter.txt'), 'Dear Ann');
    await expect(restore(strange)).rejects.toThrow(/strange is not empty \(letter\.txt\)/);
    expect((await readdir(strange)).sort()).toEqual(['chat-kernel.lock', 'letter.txt']);
    const cut = join(elsewhere, 'cut');
    const bytes = zstdDecompressSync(readFileSync(file()));
    writeFileSync(cut, zstdCompressSync(bytes.subarray(0, bytes.indexOf('manifest.json'))));
    const target = join(elsewhere, 'new');
    await expect(restore(target, cut)).rejects.toThrow(/is damaged/);
    expect(await readdir(target)).toEqual(['chat-kernel.lock']);
    // The second attempt finds no leftovers of the first.
    await restore(target);
    await stage.reopen();
  });

  test('[SAFE-1] replaces no file that is not a backup', async () => {
    writeFileSync(file(), 'x');
    await expect(back()).rejects.toThrow(/kept is there already and is no backup, so it is left alone\.$/);
    expect(await readFile(file(), 'utf8')).toBe('x');
  });

  test.each([
    [
      { schema: 1000 },
      /^The backup has schema version 1000, and this chat-kernel knows versions up to \d+: use the newer /,
    ],
    [{ schema: 17 }, /^The backup has tables from before the first release, older than version 18\. /],
    [{ version: 3 }, /^The backup has the format 3, /],
  ])('[SAFE-1] is rejected if another version made it: %o', async (other, says) => {
    const archive = new ArchiveWriter(file(), Date.parse(NOW));
    const head = { format: FORMAT, version: 2, schema: 27, database: 'sqlite', made_at: NOW, ...other };
    await archive.addText(HEAD, JSON.stringify(head));
    await archive.endSums();
    await archive.end();
    const place = { data_dir: join(elsewhere, 'new'), url: null };
    const restoring = restoreStore(place, { file: file(), log: stage.log, onProgress() {} });
    await expect(restoring).rejects.toThrow(says);
  });

  test('contains every table that is not rebuilt', () => {
    const database = new DatabaseSync(join(stage.data_dir, 'chat-kernel.db'), { readOnly: true });
    const rows = database.prepare("select name from sqlite_schema where type = 'table'").all();
    database.close();
    const tables = rows.map(({ name }) => String(name)).filter(name => !/^(sqlite|(book_)?texts)/.test(name));
    expect(tables.sort()).toEqual(
      [
        ...TABLES,
        'brought_tools',
        'byte_chunks',
        'edits',
        'kernel_events',
        'kernels',
        'leftovers',
        'spend_reservations',
        'stored_bytes',
      ].sort(),
    );
  });
});

async function* once(text: string) {
  yield Buffer.from(text);
}

test('keeps names and sizes of any length in a tar file, for every split', async () => {
  const names = ['a', 'x'.repeat(100), 'y'.repeat(101), `files/ab/${'ü'.repeat(120)}=\n.txt`];
  const entries = names.map(name => [name, Buffer.from(name.repeat(9))] as const);
  const written = entries.flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length, 1),
    bytes,
    tarPadding(bytes.length),
  ]);
  const whole = Buffer.concat([...written, END_OF_TAR]);
  for (const step of [1, 511, whole.length]) {
    async function* pieces() {
      for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step);
    }
    const found: (readonly [string, Buffer])[] = [];
    for await (const { path, content } of readTar(pieces())) {
      const parts: Buffer[] = [];
      for await (const part of content) parts.push(part);
      found.push([path, Buffer.concat(parts)]);
    }
    expect(found).toEqual(entries);
  }
  const large = tarHeader('large', 2 ** 40, 1);
  expect(large.toString('latin1')).toContain(' size=1099511627776\n');
});

test('extracts no entry of an archive outside of its folder', () => {
  const id = '01a1fc76-4abe-7208-9e57-f3ea35dbf7b3';
  expect(parseEntryPath(`files/01/${id}/a b.txt`)).toEqual({
    kind: 'bytes',
    folder: 'files',
    id,
    name: 'a b.txt',
  });
  expect(parseEntryPath(`images/01/${id}`)).toEqual({ kind: 'bytes', folder: 'images', id, name: undefined });
  for (const path of [
    `files/01/${id}/..`,
    `files/01/${id}/.`,
    `files/01/${id}`,
    `files/01/${id}/a/b`,
    `images/01/${id}/a`,
    `../files/01/${id}/a`,
    '/etc/passwd',
    'tables/../x/000001.jsonl',
    'sums/x.sha256',
  ])
    expect(parseEntryPath(path), path).toBeNull();
});
