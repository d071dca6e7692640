/** Text of whole files: read with a limit, written so that a reader sees the old one or the new one. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkRegular, withFile } from './regular-file.ts';

/** @throws where it has more than `maxBytes`: pieces of it can be read by read_bytes */
export function readText(path: string, maxBytes: number): Promise<string> {
  return withFile(path, constants.O_RDONLY, async file => {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Error(`${path} has ${size} bytes; at most ${maxBytes} are read as text.`);
    const pieces: Buffer[] = [];
    let read = 0;
    // Files of the system say that they are empty, and others grow while they are read.
    for await (const piece of file.createReadStream({ autoClose: false, end: maxBytes })) {
      pieces.push(piece);
      read += piece.length;
    }
    if (read > maxBytes)
      throw new Error(`${path} has more than the ${maxBytes} bytes that are read as text.`);
    return Buffer.concat(pieces).toString('utf8');
  });
}

/** Makes its directories. What was there keeps its rights. @param path real, as `reached` tells it */
export async function writeText(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const before = await lstat(path).catch(() => undefined);
  // Replaced, a pipe or a device would be one no more; written to, it may wait for ever.
  if (before) checkRegular(path, before);
  const next = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(next, 'wx', before?.mode ?? 0o666);
    try {
      // What exists is made with the rights that the process leaves out taken away.
      if (before) await file.chmod(before.mode);
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
