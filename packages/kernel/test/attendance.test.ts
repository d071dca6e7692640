/** Tests how long requests wait that no client can show (CONSENT-1). */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Attendance } from '../src/requests/attendance.ts';

/** The timeouts of a request in seconds. */
interface Times {
  timeout_secs: number;
  unattended_timeout_secs?: number;
}
const CONSENT: Times = { timeout_secs: 60, unattended_timeout_secs: 30 };

/** An attendance with one client, which `seen.isShown` connects. */
function opened() {
  const clock = new ManualClock();
  const seen = { isShown: false };
  const attendance = new Attendance(() => false);
  const wait = (times: Times, life?: object) => {
    const asking = { ...(life && { life }), isShown: () => seen.isShown };
    const opening = times as never;
    const open = { asking, opening, opened_at: clock.now(), expires_at: 0, stopTimer() {}, isOver: false };
    const expire = () => {
      open.isOver = true;
    };
    attendance.startTimer(open, attendance.isUnattended(asking, opening), expire, clock);
    return open;
  };
  return { attendance, clock, seen, wait };
}

test.each([
  [true, 30, false, false],
  [false, 30, true, false],
  [false, 30, false, true],
  [false, undefined, false, false],
])('[CONSENT-1] reports %s as unattended for the short timeout %s, a client %s and notifications %s', (expected, unattended_timeout_secs, isShown, isWatched) => {
  const attendance = new Attendance(() => isWatched);
  const opening = { timeout_secs: 60, unattended_timeout_secs } as never;
  expect(attendance.isUnattended({ isShown: () => isShown }, opening)).toBe(expected);
  if (!isShown) expect(attendance.isUnattended({}, opening)).toBe(expected);
});

test.each([
  ['30 seconds without a client', 30, CONSENT, [false, false]],
  ['60 seconds with a client at the start', 60, CONSENT, [true, false]],
  ['60 seconds with a client that comes in time', 60, CONSENT, [false, true]],
  ['60 seconds if unattended ones may wait longer', 60, { ...CONSENT, unattended_timeout_secs: 90 }, [false]],
  ['60 seconds if both times are equal', 60, { ...CONSENT, unattended_timeout_secs: 60 }, [false, true]],
  ['60 seconds if it is not for consent', 60, { timeout_secs: 60 }, [false, false]],
] satisfies [string, number, Times, boolean[]][])('[CONSENT-1] a request waits %s', (_, seconds, times, [
  before = false,
  after = before,
]) => {
  const { clock, seen, wait } = opened();
  seen.isShown = before;
  const open = wait(times);
  seen.isShown = after;
  for (const ms of [29_999, seconds * 1000 - 30_000]) clock.advance(ms);
  expect([open.isOver, open.expires_at - open.opened_at]).toEqual([false, seconds * 1000]);
  clock.advance(1);
  expect([open.isOver, clock.timers.size]).toEqual([true, 0]);
});

test('[CONSENT-1] a request ends at once if its whole time has passed when a client is found', () => {
  const { clock, seen, wait } = opened();
  const open = wait(CONSENT);
  seen.isShown = true;
  clock.advance(61_000);
  clock.advance(0);
  expect(open.isOver).toBe(true);
});

test('[CONSENT-1] refuses requests of a turn after two that no client could show until their end', () => {
  const { attendance, clock, seen, wait } = opened();
  const [life, other] = [{}, {}];
  const refused = () => [{ life }, { life: other }, {}].map(asking => attendance.isRefused(asking));
  for (const [before, after, isRefused] of [
    [true, false, false],
    [false, true, false],
    [false, false, false],
    [false, false, true],
  ] as const) {
    for (const each of [life, undefined]) {
      seen.isShown = before;
      wait(CONSENT, each);
      seen.isShown = after;
      clock.advance(30_000);
      clock.advance(30_000);
    }
    expect(refused()).toEqual([isRefused, false, false]);
  }
});
