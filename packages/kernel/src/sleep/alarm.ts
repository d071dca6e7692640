/** Sets alarms for moments that may be far in the future. */
import type { Clock } from '../ports/index.ts';

/**
 * Timers are limited to about three weeks and stop while the machine sleeps, so the clock is checked at this interval.
 */
const POLL_INTERVAL_MS = 60_000;

/**
 * Calls back once it is `time` or later (milliseconds since 1970). The returned function cancels the alarm.
 * @param lookMs the maximum delay after which a clock change is detected
 */
export function alarm(
  clock: Clock,
  time: number,
  callback: () => void,
  lookMs = POLL_INTERVAL_MS,
): () => void {
  let takeBack = () => {};
  const wait = () => {
    const left = Math.max(0, time - clock.now());
    // Timers may fire early, and clocks may be set back: then the alarm waits again.
    takeBack = clock.after(Math.min(left, lookMs), () => (clock.now() >= time ? callback() : wait()));
  };
  wait();
  return () => takeBack();
}
