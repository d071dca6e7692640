/** Processes long lists in slices and lets the event loop run in between: it must not be blocked for 50 ms (SAFE-3). */
import { setImmediate as nextTick } from 'node:timers/promises';

/** The number of elements per slice. A slice of messages of typical length takes a few milliseconds. */
export const SLICE = 200;

/** Lists of up to SLICE elements end without a pause. */
export async function* slices<Thing>(list: readonly Thing[]): AsyncGenerator<readonly Thing[]> {
  for (let start = 0; start < list.length; start += SLICE) {
    if (start > 0) await nextTick();
    yield start === 0 && list.length <= SLICE ? list : list.slice(start, start + SLICE);
  }
}
