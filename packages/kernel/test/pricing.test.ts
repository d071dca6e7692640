/** Tests sums of usages. */
import { expect, test } from 'vitest';
import { add, NOTHING_USED } from '../src/model/pricing.ts';

const costs = (...usd: (number | null)[]) =>
  usd.map(cost_usd => ({ ...NOTHING_USED, cost_usd })).reduce(add).cost_usd;

test.each([
  [[0.1, 0.2], 0.3],
  [[0.2, 0.1, 0.7], 1],
  // The smallest cost: one token of a model that costs 0.0001 dollars per million.
  [[1e-10, 2e-10], 3e-10],
  [[1_000_000, 0.1, 0.2], 1_000_000.3],
  [[0.1, null], null],
])('the costs %j are together %s, in any order', (usd, sum) => {
  expect(costs(...usd)).toBe(sum);
  expect(costs(...usd.toReversed())).toBe(sum);
});
