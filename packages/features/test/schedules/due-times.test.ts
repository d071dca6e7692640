/** Tests due times over years: daily ones occur once each day, and intervals stay constant. */
import { expect, test } from 'vitest';
import { PATIENT } from '../../../../test/harness/patient.ts';
import { dueTimes } from '../../src/schedules/due-times.ts';

const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  '+02:00',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];

/** Returns the hours between due times over four years, from the smallest to the largest. */
function steps(cron: string, timezone: string, count: number): [number, number] {
  const after = dueTimes({ cron, at: null, timezone });
  let time = after(Date.UTC(2026, 0, 1)) as number;
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let n = 0; n < count; n++) {
    const next = after(time) as number;
    least = Math.min(least, (next - time) / HOUR);
    most = Math.max(most, (next - time) / HOUR);
    time = next;
  }
  return [least, most];
}

test.each(ZONES)('[SCHED-2] schedules a daily time in %s once each day, through all clock changes', zone => {
  for (const cron of ['30 2 * * *', '15 1 * * *', '0 0 * * *', '30 3 * * *']) {
    const [least, most] = steps(cron, zone, 4 * 365);
    // The gap moves a time by an hour at most, and the change itself by another.
    expect(least).toBeGreaterThanOrEqual(22);
    expect(most).toBeLessThanOrEqual(26);
  }
});

test('[SCHED-2] schedules a step expression at each step of elapsed time', PATIENT, () => {
  expect(steps('*/15 * * * *', 'Europe/Berlin', 4 * 365 * 24)).toEqual([0.25, 0.25]);
  expect(steps('0 * * * *', 'America/New_York', 4 * 365 * 24)).toEqual([1, 1]);
});

test.each([
  ['spring', '30 2 * * *', '2026-03-29T01:00'],
  ['spring', '15,30 2,3 * * *', '2026-03-29T01:00 2026-03-29T01:15 2026-03-29T01:30'],
  ['spring', '30 * * * *', '2026-03-29T00:30 2026-03-29T01:30'],
  ['autumn', '30 2 * * *', '2026-10-25T00:30'],
  ['autumn', '15,30 2,3 * * *', '2026-10-25T00:15 2026-10-25T00:30 2026-10-25T02:15 2026-10-25T02:30'],
  ['autumn', '30 * * * *', '2026-10-25T00:30 2026-10-25T01:30 2026-10-25T02:30'],
])('[SCHED-2] in %s moves a nonexistent time of %s to the end of the gap, and runs a repeated one once', (_, cron, due) => {
  const expected = due.split(' ');
  const after = dueTimes({ cron, at: null, timezone: 'Europe/Berlin' });
  let time = Date.parse(`${expected[0]?.slice(0, 10)}T00:00Z`);
  const found = expected.map(() => {
    time = after(time) as number;
    return new Date(time).toISOString().slice(0, 16);
  });
  expect(found).toEqual(expected);
});
