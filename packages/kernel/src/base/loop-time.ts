/**
 * Spreads work that becomes due at once, such as a hundred turns whose messages one sync has stored, over several turns
 * of the event loop: it must not be blocked for 50 ms (SAFE-7). A process has one event loop, so this state is shared.
 */
import { setImmediate as nextTick } from 'node:timers/promises';

/** Work begins for this time in one turn of the event loop. */
const MAX_MS = 5;

/** When the first work of this turn of the event loop began; undefined: none did. */
let began: number | undefined;

/** Resolves when work may begin; undefined: now. */
export function loopTime(): Promise<void> | undefined {
  if (began === undefined) {
    began = performance.now();
    setImmediate(() => {
      began = undefined;
    });
  }
  return performance.now() - began < MAX_MS ? undefined : nextTick().then(loopTime);
}
