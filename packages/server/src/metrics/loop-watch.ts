/** Logs when the event loop was blocked: for how long (`ms`), and how much of that the process computed (`cpu_ms`). */
import type { Log } from '@chat-kernel/kernel';

const INTERVAL_MS = 50;
/** A longer block is logged. */
const LONG_MS = 200;

/** Watches until the returned function is called. @param onBlock called for each logged block */
export function watchLoop(log: Pick<Log, 'warn'>, onBlock: () => void): () => void {
  let time = performance.now();
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    const ms = performance.now() - time - INTERVAL_MS;
    if (ms > LONG_MS) {
      const { user, system } = process.cpuUsage(cpu);
      const cpu_ms = Math.round((user + system) / 1000);
      onBlock();
      // Little processor time in a long block: the process waited for a disk, or the machine slept.
      log.warn({ ms: Math.round(ms), cpu_ms }, 'the event loop was blocked');
    }
    time = performance.now();
    cpu = process.cpuUsage();
  }, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
