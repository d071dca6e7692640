/** Folders that go when the bench ends. TMPDIR says on which disk they are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
process.on('exit', () => folders.forEach(removeFolder));

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chat-kernel-bench-'));
  folders.add(folder);
  return folder;
}

/** Earlier than by itself, for large ones. */
export function removeFolder(folder: string): void {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}
