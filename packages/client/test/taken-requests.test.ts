/** What hands remember of the requests that they have taken. */
import { expect, test } from 'vitest';
import { TakenRequests } from '../src/hands/taken-requests.ts';

test('the newest requests are remembered, and so many that no late event begins one anew', () => {
  const taken = new TakenRequests();
  for (let n = 0; n <= 10_000; n++) taken.add(`${n}`);
  expect(['0', '1', '10000'].map(key => taken.has(key))).toEqual([false, true, true]);
});
