/** Replaces the content of a file atomically: readers see the old or the new content, also after a crash. */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a temporary file next to the file and renames it.
 * @param before facts of the old file, whose owner is kept; null if it is new
 * @param mode permissions, those of the old file if not given
 */
export async function replaceFile(
  { directory, name }: { directory: string; name: string },
  content: string | Uint8Array,
  before: Stats | null,
  mode = before?.mode,
): Promise<void> {
  const beside = join(directory, `.${name.slice(0, 100)}.${randomUUID()}`);
  const file = await open(beside, 'wx', mode ?? 0o666);
  try {
    try {
      await file.writeFile(content);
      // Only root may change the owner of files.
      if (before !== null && process.geteuid?.() === 0) await file.chown(before.uid, before.gid);
      // The umask of the process has removed permissions.
      if (mode !== undefined) await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, join(directory, name));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
