/** Creates folders that are removed when the bench ends. TMPDIR determines their disk. */
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

/** Removes a large folder before the end of the bench. */
export function removeFolder(folder: string): void {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}
