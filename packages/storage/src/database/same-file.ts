/** Checks that an open file is still the one at its path: writes to a deleted file are lost (SAFE-5). */
import { statSync } from 'node:fs';
import { changeOf, type FileIdentity } from './file-identity.ts';
import { storageUnavailable } from './unavailable.ts';

/**
 * Returns a check that throws KernelError storage_unavailable once the file was deleted, replaced or unmounted.
 * @param opened the file that was opened
 */
export function sameFile(path: string, opened: FileIdentity = statSync(path)): () => void {
  return () => {
    const change = changeOf(path, opened);
    if (change) throw storageUnavailable(`${path} was ${change} while the kernel ran; start it again`);
  };
}
