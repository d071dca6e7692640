/** Limits of time that tell a wait from none, on a machine that may be many times slower for a while. */

/** Milliseconds that the work below takes on a machine that has nothing else to do. */
const QUIET_MS = 25;

/** How many times slower this machine is at this moment than one with nothing else to do; at least 1. */
export function slowness(): number {
  const began = performance.now();
  let sum = '';
  for (let n = 0; n < 20_000; n++) sum = JSON.stringify({ n, sum: sum.slice(-20) });
  return Math.max(1, (performance.now() - began) / QUIET_MS);
}
