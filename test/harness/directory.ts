/** Creates directories that are removed when their test or file ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty directory. Returns its path and a function that removes it. @param within an existing directory */
export function temporaryDirectory(within = tmpdir()): { path: string; remove: () => void } {
  const path = mkdtempSync(join(within, 'chat-kernel-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
