/** Reads and writes parts of files, and searches them for bytes. Offsets count bytes. */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type HardLinks, withFile } from './regular-file.ts';

/** Largest read; the kernel requests far smaller ones. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_OFFSETS = 10_000;
/** Files are searched in pieces of this size. */
const SEARCHED_BYTES = 1024 * 1024;

/** Reads `size` bytes, or fewer at the end of the file. `total` is the size of the whole file. */
export async function readBytes(
  path: string,
  offset: number,
  size: number,
  links: HardLinks,
): Promise<{ total: number; data: Buffer }> {
  check({ offset, size });
  if (size > MAX_BYTES) throw new Error(`size is at most ${MAX_BYTES}`);
  return withFile(path, constants.O_RDONLY, links, async file => {
    const { size: total } = await file.stat();
    return { total, data: await piece(file, offset, Math.max(0, Math.min(size, total - offset))) };
  });
}

/** Writes into the file and creates it if it is missing. `truncate` cuts it after these bytes. Returns the new size. */
export async function writeBytes(
  path: string,
  offset: number,
  data: Buffer,
  truncate: boolean,
  links: HardLinks,
): Promise<number> {
  check({ offset });
  return withFile(path, constants.O_RDWR | constants.O_CREAT, links, async file => {
    let written = 0;
    while (written < data.length) {
      const { bytesWritten } = await file.write(data, written, data.length - written, offset + written);
      written += bytesWritten;
    }
    if (truncate) await file.truncate(offset + data.length);
    return (await file.stat()).size;
  });
}

/** Returns the offsets of the bytes from `offset` on, overlapping matches included; at most `limit`. */
export async function findBytes(
  path: string,
  data: Buffer,
  offset: number,
  limit: number,
  links: HardLinks,
): Promise<{ total: number; offsets: number[] }> {
  check({ offset, limit });
  if (data.length === 0) throw new Error('data is empty: there is nothing to look for');
  const most = Math.min(limit, MAX_OFFSETS);
  return withFile(path, constants.O_RDONLY, links, async file => {
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

/** Reads a piece, which is shorter if the file was cut in the meantime. */
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

/** Node interprets a negative offset as the position after the last read. */
function check(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name} is no number of bytes or places`);
  }
}
