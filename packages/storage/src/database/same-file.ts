/** Checks that an open file is still the one at its path: writes to a deleted file are lost (SAFE-5). */
import { statSync } from 'node:fs';
import { storageUnavailable } from './unavailable.ts';

/** Returns a check that throws KernelError storage_unavailable once the file was deleted, replaced or unmounted. */
export function sameFile(path: string): () => void {
  const opened = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino === opened.ino && now.dev === opened.dev) return;
    throw storageUnavailable(
      `${path} was ${now ? 'replaced' : 'deleted'} while the kernel ran; start it again`,
    );
  };
}
