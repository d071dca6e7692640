/** Tests how clients show numbers, money and durations. */
import { expect, it } from 'vitest';
import { compact, counted, dollars, duration } from '../src/amounts.ts';

it('formats amounts for readers', () => {
  const numbers = [999, 1000, 12_345, 200_000, 1_234_567];
  expect(numbers.map(compact)).toEqual(['999', '1k', '12.3k', '200k', '1.2M']);
  expect([1, 1200].map(count => counted(count, 'line'))).toEqual(['1 line', '1,200 lines']);
  expect([null, 0, 0.0012, 0.1234, 3.5].map(dollars)).toEqual([
    'price unknown',
    '$0',
    '$0.0012',
    '$0.123',
    '$3.50',
  ]);
  const times = [4200, 60_000, 3_600_000, 4_000_000, 180_000_000];
  expect(times.map(duration)).toEqual(['4 s', '1 min', '1 h', '1 h 6 min', '2 days 2 h']);
});
