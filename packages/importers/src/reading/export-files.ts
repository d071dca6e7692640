/** The files of an export: a folder, a ZIP archive as it is downloaded, or one file that was taken out of it. */
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Entry, openPromise } from 'yauzl';
import { NothingToImport } from '../base/incoming.ts';

export interface ExportFile {
  /** With the folders that it lies in. */
  name: string;
  /** As the archive or the disk says. */
  size: number;
  bytes(): Promise<AsyncIterable<Buffer>>;
}
interface ExportFiles {
  list: ExportFile[];
  close(): void;
}

/** Levels of folders, and files: of a folder that is no export. */
const MOST_LEVELS = 4;
const MOST_FILES = 200_000;

/** @throws NothingToImport, and whatever the file system says */
export async function openExport(path: string): Promise<ExportFiles> {
  const found = await stat(path).catch(error => {
    if (error.code === 'ENOENT') throw new NothingToImport('there is no such file');
    throw error;
  });
  if (found.isDirectory()) return { list: await filesBelow(path, MOST_LEVELS), close() {} };
  if (await isZip(path)) return await openZip(path);
  return { list: [fileAt(path, basename(path), found.size)], close() {} };
}

async function filesBelow(folder: string, levels: number): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) files.push(fileAt(path, path, (await stat(path)).size));
    else if (entry.isDirectory() && levels > 1) files.push(...(await filesBelow(path, levels - 1)));
    if (files.length > MOST_FILES) throw new NothingToImport(`it holds more than ${MOST_FILES} files`);
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

async function openZip(path: string): Promise<ExportFiles> {
  try {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const list: ExportFile[] = [];
    for await (const entry of zip.eachEntry()) {
      if (list.length >= MOST_FILES) throw new NothingToImport(`it holds more than ${MOST_FILES} files`);
      if (entry.fileName.endsWith('/')) continue;
      list.push(fileIn(entry, each => zip.openReadStreamPromise(each)));
    }
    return { list, close: () => zip.close() };
  } catch (error) {
    if (error instanceof NothingToImport) throw error;
    throw new NothingToImport(`it is a broken archive (${(error as Error).message.slice(0, 200)})`);
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
