/** Alarms for moments that may be far away. */
import type { Clock } from '../ports/index.ts';

/**
 * Timers take no more than about three weeks, and stand still while the machine sleeps: so the clock is looked at
 * this often.
 */
const LOOK_MS = 60_000;

/**
 * Calls back once it is `time` or later (milliseconds since 1970). The returned function takes the alarm back.
 * @param lookMs how late it may be noticed that the clock was set
 */
export function alarm(clock: Clock, time: number, callback: () => void, lookMs = LOOK_MS): () => void {
  let takeBack = () => {};
  const wait = () => {
    const left = Math.max(0, time - clock.now());
    // Timers may come early, and clocks are set back: then the alarm waits again.
    takeBack = clock.after(Math.min(left, lookMs), () => (clock.now() >= time ? callback() : wait()));
  };
  wait();
  return () => takeBack();
}
