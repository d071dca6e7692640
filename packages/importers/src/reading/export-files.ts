/** Opens the files of an export: a folder, a ZIP archive as downloaded, or a single file from it. */
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Entry, openPromise } from 'yauzl';
import { NothingToImport } from '../base/incoming.ts';
import type { ImportLimits } from '../base/limits.ts';

export interface ExportFile {
  /** The path, including folders. */
  name: string;
  /** As stated by the archive or the disk. */
  size: number;
  bytes(): Promise<AsyncIterable<Buffer>>;
}
interface ExportFiles {
  list: ExportFile[];
  close(): void;
}

/** Limits for levels of folders and number of files, because a folder may not be an export. */
const MAX_LEVELS = 4;
const MAX_FILES = 200_000;

/** @throws NothingToImport, and errors of the file system */
export async function openExport(path: string, limits: ImportLimits): Promise<ExportFiles> {
  const found = await stat(path).catch(error => {
    if (error.code === 'ENOENT') throw new NothingToImport('there is no such file');
    throw error;
  });
  if (found.isDirectory()) return { list: await filesBelow(path, MAX_LEVELS), close() {} };
  if (await isZip(path))
    return await openZip(path, Math.max(limits.unpacked_bytes, limits.ratio * found.size));
  return { list: [fileAt(path, basename(path), found.size)], close() {} };
}

async function filesBelow(folder: string, levels: number): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) files.push(fileAt(path, path, (await stat(path)).size));
    else if (entry.isDirectory() && levels > 1) files.push(...(await filesBelow(path, levels - 1)));
    if (files.length > MAX_FILES) throw new NothingToImport(`it holds more than ${MAX_FILES} files`);
  }
  return files;
}

const fileAt = (path: string, name: string, size: number): ExportFile => ({
  name,
  size,
  bytes: async () => createReadStream(path),
});

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'PK\x03\x04';
  } finally {
    await file.close();
  }
}

/** @param most bytes of all files that are read */
async function openZip(path: string, most: number): Promise<ExportFiles> {
  try {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const bound = new UnpackedBytes(most);
    const list: ExportFile[] = [];
    for await (const entry of zip.eachEntry()) {
      if (list.length >= MAX_FILES) throw new NothingToImport(`it holds more than ${MAX_FILES} files`);
      if (entry.fileName.endsWith('/')) continue;
      list.push(fileIn(entry, async each => bound.counted(await zip.openReadStreamPromise(each))));
    }
    return { list, close: () => zip.close() };
  } catch (error) {
    throw broken(error);
  }
}

const fileIn = (entry: Entry, openEntry: (entry: Entry) => Promise<AsyncIterable<Buffer>>): ExportFile => ({
  name: entry.fileName,
  size: entry.uncompressedSize,
  bytes: () => {
    if (entry.isEncrypted()) throw new NothingToImport('it is protected by a password');
    return openEntry(entry);
  },
});

/** Counts the bytes of all files of an archive as they arrive. */
class UnpackedBytes {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Yields the same bytes. @throws NothingToImport if they are too many, or if the archive is broken */
  async *counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of bytes) {
        this.#count += chunk.length;
        if (this.#count > this.#most)
          throw new NothingToImport(`it unpacks to more than ${this.#most} bytes, the limit for its size`);
        yield chunk;
      }
    } catch (error) {
      throw broken(error);
    }
  }
}

const broken = (error: unknown): NothingToImport =>
  error instanceof NothingToImport
    ? error
    : new NothingToImport(`it is a broken archive (${(error as Error).message.slice(0, 200)})`);
