/** Tests which caps apply to a turn. */
import { expect, it } from 'vitest';
import { type Cap, capsFor } from '../src/spend/caps.ts';

const cap = (scope: Cap['scope'], unit: Cap['unit'], amount: number): Cap => ({
  scope,
  unit,
  amount,
  setting: `spend.per_${scope}.${unit}`,
});
const CAPS = [cap('turn', 'usd', 2), cap('turn', 'tokens', 1), cap('day', 'usd', 1)];

it('uses the caps of the settings for a turn without its own', () => {
  expect(capsFor(undefined, CAPS)).toEqual(CAPS);
  expect(capsFor({}, CAPS)).toEqual(CAPS);
});

it('uses the cap of the schedule of a turn when it is lower', () => {
  const own = { scope: 'turn', unit: 'usd', amount: 1.5, setting: 'max_cost_usd of its schedule' };
  expect(capsFor({ max_cost_usd: 1.5 }, CAPS)).toEqual([own, CAPS[1], CAPS[2]]);
  expect(capsFor({ max_cost_usd: 1.5 }, CAPS.slice(1))).toEqual([own, CAPS[1], CAPS[2]]);
  expect(capsFor({ max_cost_usd: 2 }, CAPS)).toEqual(CAPS);
  expect(capsFor({ max_cost_usd: 3 }, CAPS)).toEqual(CAPS);
});
