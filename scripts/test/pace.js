// Measures how slow this machine is, as a factor of 1 or more: `node scripts/test/pace.js` prints it. Timeouts of tests
// scale with it. Plain JavaScript, because .ci/run needs it before any package is installed.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The time that a quiet machine with two cores needs, in milliseconds, including its normal variation. */
const NORMAL_LOOP_MS = 60;
const NORMAL_SYNC_MS = 3;

/** @returns {number} How many times slower than normal the slower of processor and disk is, at least 1. */
export function measureSlowness() {
  const factor = Math.max(1, median(3, loop) / NORMAL_LOOP_MS, median(9, syncer()) / NORMAL_SYNC_MS);
  return Math.round(factor * 10) / 10;
}

function loop() {
  let value = 1;
  for (let n = 0; n < 30_000_000; n++) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  return value;
}

/** Writes and syncs a page of a temporary file; the last call removes it. */
function syncer(left = 9) {
  const folder = mkdtempSync(join(tmpdir(), 'pace-'));
  const file = openSync(join(folder, 'page'), 'w');
  const page = Buffer.alloc(4096, 1);
  return () => {
    writeSync(file, page);
    fsyncSync(file);
    if (--left > 0) return;
    closeSync(file);
    rmSync(folder, { recursive: true });
  };
}

function median(times, work) {
  const taken = [];
  for (let n = 0; n < times; n++) {
    const begun = performance.now();
    work();
    taken.push(performance.now() - begun);
  }
  return taken.sort((a, b) => a - b)[times >> 1];
}

if (process.argv[1]?.endsWith('scripts/test/pace.js')) console.log(measureSlowness());
