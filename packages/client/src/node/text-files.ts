/** Text of whole files: read with a limit, written so that a reader sees the old text or the new one. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkRegular, withFile } from './regular-file.ts';

/** Reads a file. @throws where it has more than `maxBytes`: read_bytes reads pieces of it */
export function readText(path: string, maxBytes: number): Promise<string> {
  return withFile(path, constants.O_RDONLY, async file => {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Error(`${path} has ${size} bytes; at most ${maxBytes} are read as text.`);
    const pieces: Buffer[] = [];
    let read = 0;
    // The size is not the last word: files of the system have none, and others grow meanwhile.
    for await (const piece of file.createReadStream({ autoClose: false, end: maxBytes })) {
      pieces.push(piece);
      read += piece.length;
    }
    if (read > maxBytes)
      throw new Error(`${path} has more than the ${maxBytes} bytes that are read as text.`);
    return Buffer.concat(pieces).toString('utf8');
  });
}

/**
 * Writes a file and makes its directories; a file that was there keeps its rights.
 * @param path real, as `reached` returns it
 * @param mode other rights
 */
export async function writeWhole(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const before = await lstat(path).catch(() => undefined);
  // A pipe or a device would be one no more if it were replaced, and to write to it may take for ever.
  if (before) checkRegular(path, before);
  const next = `${path}.${randomUUID()}.tmp`;
  try {
    const rights = mode ?? before?.mode;
    const file = await open(next, 'wx', rights ?? 0o666);
    try {
      // The umask of the process has taken rights away.
      if (rights !== undefined) await file.chmod(rights);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
