/** Creates an archive of all data of a kernel, also while the kernel runs (SAFE-1), and verifies one. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@chat-kernel/kernel';
import type { StoreHome } from '../bytes/backends.ts';
import { syncDirectory } from '../bytes/byte-files.ts';
import type { StorePlace } from '../database/engine.ts';
import { readDatabase } from '../database/engines.ts';
import { StoreError } from '../database/store-error.ts';
import { SCHEMA_VERSION } from '../migrations/migrate.ts';
import { PUSH_KEY, readPushKey } from '../push/push-key.ts';
import type { Db } from '../tables/schema.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { CopiedBytes } from './copied-bytes.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  HEAD,
  type Head,
  MANIFEST,
  type Manifest,
  type Row,
  tablePart,
} from './format.ts';
import { countRows, readPages, readSchemaVersion, TABLES } from './tables.ts';

/** The progress: `done` of `total` files, or rows of the table. */
export interface Progress {
  doing: string;
  done: number;
  total: number;
}
interface BackupOptions {
  /** The path of the archive, created with mode 0600 once it is complete; an older archive there is replaced. */
  file: string;
  clock: Clock;
  onProgress: (progress: Progress) => void;
}
export interface ArchiveSummary {
  head: Head;
  manifest: Manifest;
}

/** Characters of rows that are collected for a part. */
const PART_CHARS = 4 * 1024 * 1024;
/** Maximum number of snapshots if bytes are removed during the copy; each one after the first takes only a moment. */
const ATTEMPTS = 50;

/** @throws StoreError if there is nothing to save, or FILE is not an archive */
export async function backupStore(place: StoreHome, options: BackupOptions): Promise<ArchiveSummary> {
  const { file, clock } = options;
  await refuseOtherFile(file);
  const database = await readDatabase(place);
  const part = `${file}.part`;
  try {
    await rm(part, { force: true });
    const archive = new ArchiveWriter(part, clock.now());
    const bytes = new CopiedBytes(place, archive, copied => {
      options.onProgress({ doing: 'files', done: copied, total: Math.max(copied, files) });
    });
    let files = 0;
    try {
      for (let attempt = 1; ; attempt++) {
        const summary = await database.snapshot(async db => {
          files = (await countRows(db, 'images')) + (await countRows(db, 'files'));
          const head = await buildHead(db, database.name, place, clock);
          if (attempt === 1) await archive.addText(HEAD, `${JSON.stringify(head)}\n`);
          if (!(await bytes.catchUp(db)) && attempt < ATTEMPTS) return undefined;
          const key = readPushKey(place.data_dir);
          if (key !== undefined) await archive.addText(PUSH_KEY, key);
          return { head, manifest: await writeTables(db, archive, bytes, options) };
        });
        if (summary === undefined) continue;
        await archive.addText(MANIFEST, `${JSON.stringify(summary.manifest, null, 2)}\n`);
        await archive.end();
        await rename(part, file);
        await syncDirectory(dirname(file));
        return summary;
      }
    } catch (cause) {
      await archive.abort();
      const { syscall, message } = cause as NodeJS.ErrnoException;
      if (syscall === undefined) throw cause;
      throw new StoreError(`The backup ${file} can't be made: ${message}.`, { cause });
    } finally {
      bytes.close();
    }
  } finally {
    await rm(part, { force: true });
    await database.close();
  }
}

/** A mistyped path must not overwrite another file. */
async function refuseOtherFile(file: string): Promise<void> {
  if (!existsSync(file)) return;
  try {
    for await (const { kind } of readArchive(file)) if (kind === 'head') return;
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    throw new StoreError(`${file} is there already and is no backup, so it is left alone.`, { cause });
  }
}

async function buildHead(db: Db, name: string, { url }: StorePlace, clock: Clock): Promise<Head> {
  const schema = await readSchemaVersion(db);
  if (schema === undefined) throw new StoreError(`${name} holds no data of a chat-kernel.`);
  if (schema !== SCHEMA_VERSION) {
    throw new StoreError(
      `${name} has schema version ${schema}, and this chat-kernel makes backups of version ${SCHEMA_VERSION}: ` +
        'use the chat-kernel that it runs with, or start this one once.',
    );
  }
  const made_at = new Date(clock.now()).toISOString();
  const database = url === null ? 'sqlite' : 'postgres';
  return { format: FORMAT, version: FORMAT_VERSION, schema, database, made_at };
}

/** Returns the manifest, which is not written yet. */
async function writeTables(
  db: Db,
  archive: ArchiveWriter,
  bytes: CopiedBytes,
  { onProgress }: BackupOptions,
): Promise<Manifest> {
  const tables: Record<string, number> = {};
  for (const table of TABLES) {
    const total = await countRows(db, table);
    tables[table] = await writeRows(archive, table, readPages(db, table), done => {
      onProgress({ doing: table, done, total: Math.max(done, total) });
    });
  }
  tables.leftovers = await writeRows(archive, 'leftovers', [[...bytes.leftovers()]], () => {});
  return { tables, bytes: bytes.counts(), sums: await archive.endSums() };
}

/** Returns the number of rows. */
async function writeRows(
  archive: ArchiveWriter,
  table: string,
  pages: AsyncIterable<Row[]> | Iterable<Row[]>,
  onRows: (done: number) => void,
): Promise<number> {
  let [count, part, lines, chars] = [0, 0, [] as string[], 0];
  const flush = async () => {
    await archive.addText(tablePart(table, ++part), lines.join(''));
    [lines, chars] = [[], 0];
  };
  for await (const rows of pages) {
    for (const row of rows) {
      const line = `${JSON.stringify(row)}\n`;
      lines.push(line);
      chars += line.length;
      if (chars >= PART_CHARS) await flush();
    }
    count += rows.length;
    if (count > 0) onRows(count);
  }
  if (lines.length > 0) await flush();
  return count;
}

/**
 * Reads a whole archive and verifies that it is complete, without restoring it.
 * @throws StoreError if it is not an archive, or is damaged or cut off
 */
export async function checkArchive(
  file: string,
  onProgress: (progress: Progress) => void,
): Promise<ArchiveSummary> {
  let head: Head | undefined;
  let done = 0;
  for await (const part of readArchive(file)) {
    if (part.kind === 'head') head = part.head;
    if (part.kind === 'end' && head !== undefined) return { head, manifest: part.manifest };
    onProgress({ doing: 'parts', done: ++done, total: done });
  }
  throw new Error('An archive ends with its manifest.');
}
