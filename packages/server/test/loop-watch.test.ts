/** Tests the watch of the event loop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchLoop } from '../src/metrics/loop-watch.ts';

it('logs a long block once, with its duration and its processor time', async () => {
  const logged: object[] = [];
  let blocks = 0;
  onTestFinished(watchLoop({ warn: fields => logged.push(fields) }, () => blocks++));
  const start = performance.now();
  while (performance.now() - start < 300);
  await sleep(60);
  expect(blocks).toBe(1);
  expect(logged).toEqual([{ ms: expect.any(Number), cpu_ms: expect.any(Number) }]);
});
