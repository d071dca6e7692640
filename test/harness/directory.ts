/** Directories of tests, gone when their test or file is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty directory, and the way to remove it. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'chat-kernel-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
