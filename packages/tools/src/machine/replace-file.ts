/** The content of a file, exchanged as a whole: readers see the old or the new one, also after a crash. */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes beside the file and renames. @param before facts of the old file, whose mode and owner are kept; null: it is new */
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
        // Only root may give files away.
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
