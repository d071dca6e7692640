/** Tests the words for cron lines. */
import { expect, test } from 'vitest';
import { ordinal } from '../src/amounts.ts';
import { describeCron } from '../src/cron.ts';

test.each([
  ['0 8 * * 1-5', 'Weekdays at 8:00'],
  ['0 7 * * MON-FRI', 'Weekdays at 7:00'],
  ['0 9 * * *', 'Daily at 9:00'],
  ['5,35 7 * * *', 'Daily at 7:05 and 7:35'],
  ['30 8,20 * * 6,0', 'Weekends at 8:30 and 20:30'],
  ['30 8 * * sat,7', 'Weekends at 8:30'],
  ['0 18 * * FRI,1', 'Mondays and Fridays at 18:00'],
  ['0 18 * 6-8 0-6', 'Daily in June, July and August at 18:00'],
  ['0 18 * JUN *', 'Daily in June at 18:00'],
  ['0 18 * JUN SUN', 'Sundays in June at 18:00'],
  ['0 9 1 * *', 'On the 1st of each month at 9:00'],
  ['0 9 2,11,22,23 * *', 'On the 2nd, 11th, 22nd and 23rd of each month at 9:00'],
  ['0 9 L * *', 'On the last day of each month at 9:00'],
  ['15 0 25 12 *', 'On December 25 at 0:15'],
  ['0 9 1,15 1,7 *', 'On the 1st and 15th of January and July at 9:00'],
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['*/15 9-17 * * 1-5', 'Weekdays, every 15 minutes from 9:00 to 17:45'],
  ['0 * * * *', 'Every hour'],
  ['20 * * * *', 'Every hour at minute 20'],
  ['0 */6 * * *', 'Every 6 hours'],
  ['5 9-17 * * *', 'Every hour from 9:05 to 17:05'],
])('describes %s', (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});

test.each([
  'nonsense',
  '0 8 * *',
  '0 0 8 * * *',
  '0 8 1 * 1',
  '0 25 * * *',
  '*/7 * * * *',
  '0 */5 * * *',
  '0 8 * * SUN#2',
  '0 8 15W * *',
  '0 8 5-2 * *',
  '1,2,3,4,5 8 * * *',
  '0 8 1-31 * *',
  '1-9/2 8 * * *',
  '@daily',
])('has no words for %s, which would need more of them than the line', cron => {
  expect(describeCron(cron)).toBeNull();
});

test('counts places', () => {
  expect([1, 12, 22, 101, 111].map(ordinal)).toEqual(['1st', '12th', '22nd', '101st', '111th']);
});
