/** Tests how work that becomes due at once is spread over turns of the event loop. */
import { expect, test } from 'vitest';
import { loopTime } from '../src/base/loop-time.ts';

function occupy(ms: number): void {
  const begun = performance.now();
  while (performance.now() - begun < ms);
}

test('[SAFE-7] lets work begin in order, and other events in between', async () => {
  const log: string[] = [];
  const work = async (name: string) => {
    await loopTime();
    // Work does not begin with its longest part.
    await Promise.resolve();
    log.push(name);
    occupy(8);
  };
  expect(loopTime()).toBeUndefined();
  occupy(8);
  const all = ['a', 'b', 'c'].map(work);
  const done = Promise.all(all);
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  const count = () => {
    if (isDone) return;
    log.push('other');
    setImmediate(count);
  };
  setImmediate(count);
  await done;
  expect(log).toEqual(['a', 'other', 'b', 'other', 'c']);
});
