/** Replaces the content of a file atomically: readers see the old or the new content, also after a crash. */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a temporary file next to the file and renames it.
 * @param before facts of the old file, whose mode and owner are kept; null if it is new
 */
export async function replaceFile(
  { directory, name }: { directory: string; name: string },
  bytes: Uint8Array,
  before: Stats | null,
): Promise<void> {
  const beside = join(directory, `.${name.slice(0, 100)}.${randomUUID()}`);
  const file = await open(beside, 'wx');
  try {
    try {
      await file.writeFile(bytes);
      if (before !== null) {
        // Only root may change the owner of files.
        if (process.geteuid?.() === 0) await file.chown(before.uid, before.gid);
        await file.chmod(before.mode & 0o7777);
      }
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
