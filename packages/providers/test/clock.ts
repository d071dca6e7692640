/** A clock for tests: short pauses pass immediately and are recorded, long ones pass only with `advance`. */
import type { Clock } from '@chat-kernel/kernel';

interface TestClock extends Clock {
  /** Requested pauses of up to a minute, in milliseconds. */
  pauses: number[];
  advance(ms: number): void;
}

export function testClock({ hurried = true } = {}): TestClock {
  let now = Date.UTC(2026, 0, 1);
  const pauses: number[] = [];
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    pauses,
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      if (hurried && ms <= 60_000) {
        pauses.push(ms);
        setImmediate(() => {
          if (timers.delete(timer)) callback();
        });
      }
      return () => void timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.callback();
    },
  };
}
