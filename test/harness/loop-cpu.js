/**
 * Loaded before a program: appends to the file LOOP_CPU_FILE how many milliseconds its main thread computed between two
 * ticks of a timer, if these are many. On a busy machine wall-clock time says little.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 2;
const MIN_MS = 15;

if (isMainThread) {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= MIN_MS) appendFileSync(process.env.LOOP_CPU_FILE, `${ms.toFixed(1)}\n`);
    before = process.threadCpuUsage();
  }, TICK_MS).unref();
}
