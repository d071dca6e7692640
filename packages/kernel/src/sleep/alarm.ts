/** A moment in time to be called back at, however far it is. */
import type { Clock } from '../ports/index.ts';

/** Timers are not made for more than three weeks, and stand still while the machine sleeps: it looks this often. */
const LOOK_MS = 60_000;

/** Calls back once it is `time` or later (milliseconds since 1970); the answer takes it back. */
export function alarm(clock: Clock, time: number, callback: () => void): () => void {
  let takeBack = () => {};
  const wait = () => {
    const left = Math.max(0, time - clock.now());
    // A timer may come early, and clocks are set back.
    takeBack = clock.after(Math.min(left, LOOK_MS), () => (clock.now() >= time ? callback() : wait()));
  };
  wait();
  return () => takeBack();
}
