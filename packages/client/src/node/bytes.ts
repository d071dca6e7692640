/** Pieces of files: read, written in place, and looked for. Offsets count bytes. */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { withFile } from './regular-file.ts';

/** Most bytes of a read; the kernel asks for far fewer at once. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_OFFSETS = 10_000;
/** A file is searched in pieces of this size. */
const SEARCHED_BYTES = 1024 * 1024;

/** Reads `size` bytes, fewer where the file ends; `total` is the size of the whole file. */
export async function readBytes(
  path: string,
  offset: number,
  size: number,
): Promise<{ total: number; data: Buffer }> {
  check({ offset, size });
  if (size > MOST_BYTES) throw new Error(`size is at most ${MOST_BYTES}`);
  return withFile(path, constants.O_RDONLY, async file => {
    const { size: total } = await file.stat();
    return { total, data: await piece(file, offset, Math.max(0, Math.min(size, total - offset))) };
  });
}

/** Writes into the file, which is made where there is none; `truncate` ends it after these bytes. Returns its size. */
export async function writeBytes(
  path: string,
  offset: number,
  data: Buffer,
  truncate: boolean,
): Promise<number> {
  check({ offset });
  return withFile(path, constants.O_RDWR | constants.O_CREAT, async file => {
    let written = 0;
    while (written < data.length) {
      const { bytesWritten } = await file.write(data, written, data.length - written, offset + written);
      written += bytesWritten;
    }
    if (truncate) await file.truncate(offset + data.length);
    return (await file.stat()).size;
  });
}

/** Returns the offsets of the bytes from `offset` on, those that overlap included; at most `limit`. */
export async function findBytes(
  path: string,
  data: Buffer,
  offset: number,
  limit: number,
): Promise<{ total: number; offsets: number[] }> {
  check({ offset, limit });
  if (data.length === 0) throw new Error('data is empty: there is nothing to look for');
  const most = Math.min(limit, MOST_OFFSETS);
  return withFile(path, constants.O_RDONLY, async file => {
    const { size: total } = await file.stat();
    const offsets: number[] = [];
    for (let from = offset; from < total && offsets.length < most; from += SEARCHED_BYTES) {
      // A match may begin in this piece and end in the next.
      const bytes = await piece(file, from, Math.min(SEARCHED_BYTES + data.length - 1, total - from));
      for (
        let at = bytes.indexOf(data);
        at !== -1 && offsets.length < most;
        at = bytes.indexOf(data, at + 1)
      ) {
        offsets.push(from + at);
      }
    }
    return { total, offsets };
  });
}

/** Reads a piece, which is shorter where the file was cut meanwhile. */
async function piece(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const data = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(data, filled, size - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return data.subarray(0, filled);
}

/** Node takes a negative offset for the place after the last read. */
function check(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name} is no number of bytes or places`);
  }
}
