/** Pieces of files: read, written in place, and looked for. */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';

/** Fewer bytes than `size` where the file ends; `total` is the size of the whole file. */
export async function readBytes(
  path: string,
  offset: number,
  size: number,
): Promise<{ total: number; data: Buffer }> {
  return withFile(path, constants.O_RDONLY, async file => {
    const { size: total } = await file.stat();
    const data = Buffer.alloc(Math.max(0, Math.min(size, total - offset)));
    let filled = 0;
    while (filled < data.length) {
      const { bytesRead } = await file.read(data, filled, data.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { total, data: data.subarray(0, filled) };
  });
}

/** Makes the file where there is none. `truncate` ends it behind these bytes. Answers its size. */
export async function writeBytes(
  path: string,
  offset: number,
  data: Buffer,
  truncate: boolean,
): Promise<number> {
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

/** Every place from `offset` on, those that overlap included; at most `limit`. */
export async function findBytes(
  path: string,
  data: Buffer,
  offset: number,
  limit: number,
): Promise<{ total: number; offsets: number[] }> {
  const bytes = await readFile(path);
  const offsets: number[] = [];
  for (let at = bytes.indexOf(data, offset); at !== -1 && offsets.length < limit; ) {
    offsets.push(at);
    at = bytes.indexOf(data, at + 1);
  }
  return { total: bytes.length, offsets };
}

async function withFile<Answer>(
  path: string,
  flags: number,
  work: (file: FileHandle) => Promise<Answer>,
): Promise<Answer> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
