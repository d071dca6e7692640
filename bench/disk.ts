/** Measures the disk under the data directories, next to the operations that wait for it. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { now } from './clock.ts';
import { newFolder, removeFolder } from './folders.ts';
import { quantile } from './rig.ts';
import type { Row } from './table.ts';

const PAGE = Buffer.alloc(4096, 1);

/** Writes and syncs 4 KB to a growing file, as a log does. */
export function syncRows(rounds = 100): Row[] {
  const folder = newFolder();
  const file = openSync(join(folder, 'synced'), 'a');
  try {
    const times = Array.from({ length: rounds }, () => {
      const begun = now();
      writeSync(file, PAGE);
      fsyncSync(file);
      return now() - begun;
    });
    return [
      { measure: '4 KB written and synced', unit: 'ms', kernel: quantile(times, 0.5) },
      { measure: '4 KB written and synced: p99', unit: 'ms', kernel: quantile(times, 0.99) },
    ];
  } finally {
    closeSync(file);
    removeFolder(folder);
  }
}
