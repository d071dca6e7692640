/**
 * Preloaded into a kernel: responds to each message `longest block` with the milliseconds of the longest block of its
 * event loop since the previous one. This is how late a timer of 1 ms was, so waiting for a processor counts as well.
 */
import { isMainThread } from 'node:worker_threads';
import { now } from './clock.ts';

if (isMainThread) {
  let longest = 0;
  let last = now();
  const look = (): void => {
    const time = now();
    longest = Math.max(longest, time - last - 1);
    last = time;
  };
  setInterval(look, 1).unref();
  process.on('message', message => {
    if (message !== 'longest block') return;
    look();
    process.send?.(longest);
    longest = 0;
  });
  // The listener must not keep the kernel alive.
  process.channel?.unref();
}
