/** Reads a whole archive and verifies that it is complete, without restoring it. */
import { readArchive } from './archive-reader.ts';
import type { ArchiveSummary, Progress } from './backup.ts';
import type { Head } from './format.ts';

/** @throws StoreError if it is not an archive, or is damaged or cut off */
export async function checkArchive(
  file: string,
  onProgress: (progress: Progress) => void,
): Promise<ArchiveSummary> {
  let head: Head | undefined;
  let done = 0;
  for await (const part of readArchive(file)) {
    if (part.kind === 'head') head = part.head;
    if (part.kind === 'end' && head !== undefined) return { head, manifest: part.manifest };
    onProgress({ doing: 'parts', done: ++done, total: done });
  }
  throw new Error('An archive ends with its manifest.');
}
