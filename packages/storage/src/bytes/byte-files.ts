/** Stores bytes on disk, each file in a directory named after the first two characters of its id. Writes are synced. */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type NewFile, safeFileName } from '@chat-kernel/kernel';
import type { ByteStore } from './byte-store.ts';

/** Size of one read. */
const READ_BYTES = 64 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for valid ids. The kernel creates ids, but they also arrive in URLs: only a UUID may become a path. */
export const isByteId = (id: string): boolean => UUID.test(id);

/** Bytes without a name are stored as `<2 characters>/<id>`, and those with a name as `<2 characters>/<id>/<name>`. */
export class ByteFiles implements ByteStore {
  readonly #directory: string;

  /** The first write creates `directory`. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves with the number of bytes once the file and its directory entry are synced to disk. */
  write: ByteStore['write'] = async (id, bytes, { name } = {}) => {
    const path = this.path(id, name);
    const folder = dirname(this.path(id));
    const created = await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = `${this.path(id)}.part`;
    const size = await writeSynced(part, bytes);
    if (name !== undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(part, path);
    if (name !== undefined) await syncDirectory(dirname(path));
    await syncDirectory(folder);
    if (created !== undefined) {
      await syncDirectory(this.#directory);
      await syncDirectory(dirname(this.#directory));
    }
    return size;
  };

  async read(id: string): Promise<Uint8Array | undefined> {
    return await undefinedIfMissing(readFile(this.path(id)));
  }

  stream: ByteStore['stream'] = async (id, name, range) => {
    const file = await undefinedIfMissing(open(this.path(id, name)));
    return file?.createReadStream({ ...range, highWaterMark: READ_BYTES });
  };

  remove: ByteStore['remove'] = async id => {
    const path = this.path(id);
    await rm(path, { force: true, recursive: true });
    await rm(`${path}.part`, { force: true });
  };

  /** Throws if the id is not a UUID. The kernel has already made the name safe. */
  path(id: string, name?: string): string {
    if (!isByteId(id)) throw new Error('The id of stored bytes must be a UUID in lower case.');
    return join(this.#directory, id.slice(0, 2), id, ...(name === undefined ? [] : [name]));
  }
}

/** Returns the number of bytes. */
async function writeSynced(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function undefinedIfMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes changes in the directory (created, renamed or removed files) durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Returns the file name for stored bytes: the original one, as far as it is safe on a disk. */
export const nameOnDisk = ({ name, media_type }: Pick<NewFile, 'name' | 'media_type'>): string =>
  safeFileName(name, media_type);
