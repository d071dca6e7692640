/** Keeps compiled code for the next start in data_dir, if the program's own folder cannot be written. */
import { mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';

/** Does nothing if bin/compiled-folder.js has found a folder. */
export function keepCompiled({ data_dir }: Settings): void {
  if (getCompileCacheDir() !== undefined) return;
  const folder = join(data_dir, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // The store opens the same folder next, and reports the error.
    return;
  }
  enableCompileCache(folder);
}
