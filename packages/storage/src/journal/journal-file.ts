/** The journal of running turns, a file next to the database (SAFE-4). */
import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JournalFile } from '@chat-kernel/kernel';

const OWNER_ALONE = 0o600;
/** Every write appends to the end, also after the file was emptied. */
const NEW_AND_APPENDED = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/**
 * Opens the journal of a data directory whose store is open, so only one process uses it.
 * @param alone see `JournalFile`
 * @throws Error if the file cannot be opened
 */
export function openJournal(data_dir: string, { alone }: { alone: boolean }): JournalFile {
  const path = join(data_dir, 'running-turns.jsonl');
  const fresh = `${path}.new`;
  // A partly written file of a crashed process has never replaced the journal.
  rmSync(fresh, { force: true });
  let file = openSync(path, 'a', OWNER_ALONE);
  let size = statSync(path).size;

  function append(lines: string): void {
    const bytes = Buffer.from(lines);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written);
    }
    size += bytes.length;
  }

  return {
    alone,
    get size() {
      return size;
    },
    append,
    replace(lines) {
      if (lines === '') {
        ftruncateSync(file);
        size = 0;
        return;
      }
      const next = openSync(fresh, NEW_AND_APPENDED, OWNER_ALONE);
      const before = file;
      file = next;
      size = 0;
      try {
        append(lines);
        renameSync(fresh, path);
      } catch (error) {
        file = before;
        size = statSync(path).size;
        closeSync(next);
        throw error;
      }
      closeSync(before);
    },
    read: () => readFileSync(path, 'utf8').split('\n'),
    close: () => closeSync(file),
  };
}
