/** A file that is open must stay the one of its name: what is written to one that was deleted is lost (SAFE-5). */
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
