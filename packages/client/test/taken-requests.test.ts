/** Tests what hands store about the requests that they have accepted. */
import { expect, test } from 'vitest';
import { TakenRequests } from '../src/hands/handled-requests.ts';

test('keeps the newest 10,000 requests, so that a late event restarts none', () => {
  const taken = new TakenRequests();
  for (let n = 0; n <= 10_000; n++) taken.add(`${n}`);
  expect(['0', '1', '10000'].map(key => taken.has(key))).toEqual([false, true, true]);
});
