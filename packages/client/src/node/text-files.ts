/** Text of whole files: read with a limit, written so that a reader sees the old one or the new one. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** @throws where it has more than `maxBytes`: pieces of it can be read by read_bytes */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Error(`${path} has ${size} bytes; at most ${maxBytes} are read as text.`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Makes its directories. What was there keeps its rights; a link stays one, and its file is written. */
export async function writeText(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).catch(() => undefined);
  // A pipe or a device cannot be replaced, and a directory tells so itself.
  if (before && !before.isFile()) return writeFile(target, content);
  const next = `${target}.${randomUUID()}.tmp`;
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
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
