/** Tests bytes in Postgres and in S3: durable or deleted, whole or in ranges, moved, and without leftovers. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FileRecord, Store } from '@chat-kernel/kernel';
import { systemClock } from '@chat-kernel/kernel';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startS3 } from '../../../test/harness/s3.ts';
import { bytesOf } from '../../../test/harness/varied-bytes.ts';
import { type BytesSetting, backupStore, moveBytes, openStore, restoreStore } from '../src/index.ts';
import { startPostgres } from './postgres.ts';
import { NOW, newChat } from './records.ts';

const MIB = 1024 * 1024;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const onProgress = () => {};

const postgres = await startPostgres().catch((error: unknown) => {
  if (process.env.REQUIRE_ALL) throw error;
  process.stderr.write(`The tests of bytes in Postgres and S3 are skipped: ${error}\n`);
  return undefined;
});
const s3 = await startS3();
afterAll(async () => {
  await postgres?.stop();
  await s3.stop();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  s3.network.restore();
  for (const close of closing.splice(0).reverse()) await close();
});

async function newDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'chat-kernel-bytes-'));
  closing.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

type Place = BytesSetting['store'];
const setting = (store: Place): BytesSetting => ({ store, s3: s3.settings, cache_bytes: 64 * MIB });

const newFile = () => ({
  id: crypto.randomUUID(),
  name: 'notes.txt',
  media_type: 'text/plain',
  // A current date, because a start removes files that were unused for a week.
  created_at: new Date().toISOString(),
});

async function* inPieces(bytes: Buffer, size = 100_003) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(store: Store, file: FileRecord, range?: { start: number; end: number }) {
  const stream = await store.files.read(file, range);
  return stream && (await buffer(stream));
}

describe.skipIf(!postgres)('bytes stored in', () => {
  let url: string;
  let data_dir: string;
  beforeEach(async () => {
    url = await postgres!.createDatabase();
    data_dir = await newDirectory();
  });

  async function open(store: Place, directory = data_dir, name?: string): Promise<Store> {
    const kernel = name === undefined ? undefined : { url: `http://${name}.test`, name, version: '1' };
    const opened = await openStore({
      data_dir: directory,
      url,
      bytes: setting(store),
      kernel,
      log: quiet,
      clock: systemClock,
    });
    closing.push(() => opened.close());
    return opened;
  }

  async function ask(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    try {
      return (await session.query(sql, values)).rows;
    } finally {
      await session.end();
    }
  }
  /** The ids of the stored objects in a backend. */
  const inPostgres = async () =>
    (await ask('select distinct id from byte_chunks order by id')).map(({ id }) => id);
  const inS3 = () => s3.objects().map(name => name.split('/').at(-1));
  const lying = async (place: Place) => (place === 's3' ? inS3() : await inPostgres());

  describe.each(['postgres', 's3'] as const)('%s', place => {
    test('[FLEET-5] reads a file completely and in ranges, and deletes it with its chat', async () => {
      const store = await open(place);
      const chat = newChat({});
      await store.chats.create(chat);
      const image = { id: crypto.randomUUID(), chat_id: chat.id, media_type: 'image/png', created_at: NOW };
      await store.images.save(image, bytesOf(5000));
      expect(bytesOf(5000).equals((await store.images.get(image.id))?.bytes ?? Buffer.alloc(0))).toBe(true);
      // More than S3 accepts at once, and not a multiple of any unit.
      const bytes = bytesOf(9 * MIB + 7);
      const file = await store.files.save(newFile(), inPieces(bytes));
      expect(file.size).toBe(bytes.length);
      expect(await store.files.path(file)).toBeNull();
      expect(bytes.equals((await read(store, file)) ?? Buffer.alloc(0))).toBe(true);
      for (const [start, end] of [
        [0, 0],
        [256 * 1024 - 1, 256 * 1024],
        [2 * MIB - 3, 4 * MIB + 3],
        [bytes.length - 1, bytes.length - 1],
      ] as const)
        expect(await read(store, file, { start, end })).toEqual(bytes.subarray(start, end + 1));
      const empty = await store.files.save(newFile(), inPieces(Buffer.alloc(0)));
      expect(await read(store, empty)).toEqual(Buffer.alloc(0));
      expect(await lying(place)).toEqual(expect.arrayContaining([file.id, image.id]));
      expect(readdirSync(data_dir)).not.toContain('files');
      const copied = await store.files.copy(file, await newDirectory());
      expect(readFileSync(copied).equals(bytes)).toBe(true);
      await store.chats.delete(chat.id);
      expect(await lying(place)).not.toContain(image.id);
    });

    test('[FLEET-5] leaves no bytes of an interrupted upload, and rejects with its error', async () => {
      const store = await open(place);
      const before = await lying(place);
      const broken = (async function* () {
        yield bytesOf(MIB);
        yield bytesOf(8 * MIB);
        throw new Error('broke off');
      })();
      await expect(store.files.save(newFile(), broken)).rejects.toThrow('broke off');
      expect(await lying(place)).toEqual(before);
      expect(await ask('select id from stored_bytes union select id from leftovers')).toEqual([]);
    });

    test('[FLEET-5] removes a partial upload of a dead kernel, and rejects that of a kernel only considered dead', async () => {
      const a = await open(place, await newDirectory(), 'a');
      const before = await lying(place);
      const file = newFile();
      const begun = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const upload = a.files.save(
        file,
        (async function* () {
          yield bytesOf(3 * MIB);
          begun.resolve();
          await goOn.promise;
          yield bytesOf(3 * MIB);
        })(),
      );
      const failed = expect(upload).rejects.toMatchObject({ code: 'storage_unavailable' });
      await begun.promise;
      expect(await ask('select id from leftovers')).toEqual([{ id: file.id }]);
      // Its writer is alive, so it is not removed.
      await (await open(place, await newDirectory(), 'b')).close();
      expect(await ask('select id from leftovers')).toEqual([{ id: file.id }]);
      await ask('delete from kernels where id = $1', [a.fleet!.id]);
      await open(place, await newDirectory(), 'c');
      await expect.poll(() => ask('select id from leftovers'), { timeout: 60_000 }).toEqual([]);
      goOn.resolve();
      await failed;
      expect(await lying(place)).toEqual(before);
      expect(await ask('select id from stored_bytes')).toEqual([]);
    });

    test('[FLEET-5] includes the bytes in a backup, and restores them to the configured location', async () => {
      const store = await open(place);
      const bytes = bytesOf(MIB + 1);
      const file = await store.files.save(newFile(), inPieces(bytes));
      const archive = join(data_dir, 'kept');
      const home = { data_dir, url, bytes: setting(place) };
      const { manifest } = await backupStore(home, { file: archive, clock: systemClock, onProgress });
      expect(manifest.bytes.files).toEqual({ count: 1, size: bytes.length, missing: 0 });
      await store.close();
      // With the other run of this test, to each location from another one.
      for (const to of place === 's3' ? (['postgres'] as const) : (['data_dir', 's3'] as const)) {
        url = await postgres!.createDatabase({ empty: true });
        const other = await newDirectory();
        await rm(other, { recursive: true });
        await restoreStore(
          { data_dir: other, url, bytes: setting(to) },
          { file: archive, log: quiet, onProgress },
        );
        const restored = await open('postgres', other);
        expect(bytes.equals((await read(restored, file)) ?? Buffer.alloc(0))).toBe(true);
        expect((await restored.files.path(file)) !== null).toBe(to === 'data_dir');
        expect((await inPostgres()).includes(file.id)).toBe(to === 'postgres');
        await restored.close();
      }
    });
  });

  test('[FLEET-5] moves files between locations, without loss on an interruption', async () => {
    let store = await open('data_dir');
    const all: { file: FileRecord; bytes: Buffer }[] = [];
    for (const size of [0, 5, 9 * MIB]) {
      const bytes = bytesOf(size);
      all.push({ file: await store.files.save(newFile(), inPieces(bytes)), bytes });
    }
    const move = (to: Place) =>
      moveBytes({ data_dir, url, bytes: setting(to) }, { to, log: quiet, onProgress });
    await expect(move('postgres')).rejects.toThrow('Another kernel uses this data directory');
    await store.close();
    // From each location, and to each.
    for (const to of ['postgres', 's3', 'data_dir'] as const) {
      if (to === 's3') {
        s3.network.cut();
        await expect(move(to)).rejects.toMatchObject({ code: 'storage_unavailable' });
        s3.network.restore();
      }
      expect(await move(to)).toEqual({ moved: 3, bytes: 9 * MIB + 5, missing: 0, damaged: [] });
      expect(await move(to)).toMatchObject({ moved: 0, missing: 0, damaged: [] });
      store = await open('data_dir');
      for (const { file, bytes } of all) {
        expect(bytes.equals((await read(store, file)) ?? Buffer.alloc(1))).toBe(true);
        expect((await store.files.path(file)) !== null).toBe(to === 'data_dir');
      }
      await store.close();
      const ids = all.map(({ file }) => file.id);
      expect((await inPostgres()).length).toBe(to === 'postgres' ? 2 : 0);
      expect(inS3().filter(id => ids.includes(id ?? '')).length).toBe(to === 's3' ? 3 : 0);
    }
    expect(await ask('select id from stored_bytes')).toEqual([]);
  });

  test('[FLEET-5] does not move bytes that differ from the stored ones', async () => {
    const store = await open('postgres');
    const file = await store.files.save(newFile(), inPieces(bytesOf(5000)));
    await store.close();
    await ask("update byte_chunks set bytes = overlay(bytes placing '\\x00' from 9 for 1)");
    const summary = await moveBytes(
      { data_dir, url, bytes: setting('data_dir') },
      { to: 'data_dir', log: quiet, onProgress },
    );
    expect(summary).toEqual({ moved: 0, bytes: 0, missing: 0, damaged: [file.id] });
    expect(await inPostgres()).toEqual([file.id]);
  });

  test('[FLEET-5] reports unreachable S3 with a message, and still serves cached bytes', async () => {
    const store = await open('s3');
    const [known, unknown] = [
      await store.files.save(newFile(), inPieces(bytesOf(5000))),
      await store.files.save(newFile(), inPieces(bytesOf(5000))),
    ];
    await read(store, known);
    s3.network.cut();
    expect(bytesOf(5000).equals((await read(store, known)) ?? Buffer.alloc(0))).toBe(true);
    const host = new URL(s3.settings.endpoint).host;
    const away = {
      code: 'storage_unavailable',
      message: expect.stringMatching(
        `^The kernel cannot reach its files now: S3 at ${host}, bucket chat-files, does not answer`,
      ),
    };
    await expect(store.files.read(unknown)).rejects.toMatchObject(away);
    await expect(store.files.save(newFile(), inPieces(bytesOf(5000)))).rejects.toMatchObject(away);
    s3.network.restore();
    expect(bytesOf(5000).equals((await read(store, unknown)) ?? Buffer.alloc(0))).toBe(true);
  });

  test('[FLEET-5] reports a wrong key for S3 without showing it', async () => {
    const wrong = { ...s3.settings, secret_access_key: 'not the right one' };
    const bytes = { store: 's3' as const, s3: wrong, cache_bytes: 0 };
    const store = await openStore({ data_dir, url, bytes, log: quiet, clock: systemClock });
    closing.push(() => store.close());
    const saved = store.files.save(newFile(), inPieces(bytesOf(10)));
    await expect(saved).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/answered 403 \(SignatureDoesNotMatch\)\.$/),
    });
  });

  test('[FLEET-5] retries an interrupted request', async () => {
    let broken = 2;
    const target = Number(new URL(s3.settings.endpoint).port);
    const network = createServer(socket => {
      if (broken-- > 0) return void socket.destroy();
      const other = connect(target, '127.0.0.1');
      socket.pipe(other).pipe(socket);
      socket.on('error', () => other.destroy());
      other.on('error', () => socket.destroy());
    });
    await new Promise<void>(resolve => network.listen(0, '127.0.0.1', resolve));
    closing.push(async () => network.close());
    const endpoint = `http://127.0.0.1:${(network.address() as { port: number }).port}`;
    const bytes = { store: 's3' as const, s3: { ...s3.settings, endpoint }, cache_bytes: 0 };
    const store = await openStore({ data_dir, url, bytes, log: quiet, clock: systemClock });
    closing.push(() => store.close());
    const file = await store.files.save(newFile(), inPieces(bytesOf(5000)));
    expect(broken).toBeLessThanOrEqual(0);
    expect(bytesOf(5000).equals((await read(store, file)) ?? Buffer.alloc(0))).toBe(true);
  });
});
