/** Tests which provider requests may begin under a cap while others are in progress. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { CapStatus } from '../src/spend/caps.ts';
import { Reservations, type Reserved } from '../src/spend/reservations.ts';

const capOf = (scope: CapStatus['scope'], period: string, spent: number) =>
  ({
    of: { scope, unit: 'usd', amount: 5, setting: '' },
    scope,
    unit: 'usd',
    period,
    spent,
    cap: 5,
  }) as CapStatus;
const wanted = (usd: number, turn_id = 't', chat_id = 'c'): Reserved => ({
  turn_id,
  chat_id,
  cost: { usd, tokens: 0 },
});
const elsewhere = (count: number, usd: number) => ({
  version: '0',
  days: [],
  reserved: { count, usd, tokens: 0 },
  raised: [],
});
const opened = () => {
  const told = { times: 0 };
  return { told, reservations: new Reservations(null, new ManualClock(), () => void told.times++) };
};

it('lets a single request begin whatever its estimate, and others as far as they fit', async () => {
  const { told, reservations } = opened();
  const day = capOf('day', '2026-03-28', 4);
  expect(reservations.fits(day, wanted(100), null)).toBe(true);
  const first = await reservations.take(wanted(0.5), null);
  expect(reservations.fits(day, wanted(0.5), null)).toBe(true);
  expect(reservations.fits(day, wanted(0.6), null)).toBe(false);
  first?.free();
  const { times } = told;
  expect([times > 0, reservations.fits(day, wanted(100), null)]).toEqual([true, true]);
  first?.free();
  expect(told.times).toBe(times);
});

it('counts the requests of the same turn or chat under the cap of a turn or chat', async () => {
  const { reservations } = opened();
  await reservations.take(wanted(1), null);
  const fits = (scope: CapStatus['scope'], period: string) =>
    reservations.fits(capOf(scope, period, 4.5), wanted(1), null);
  expect([fits('turn', 't'), fits('chat', 'c'), fits('day', '2026-03-28')]).toEqual([false, false, false]);
  expect([fits('turn', 'u'), fits('chat', 'd')]).toEqual([true, true]);
});

it('counts the requests of other kernels under the caps of all chats', () => {
  const { reservations } = opened();
  const fits = (count: number, usd: number, scope: CapStatus['scope'] = 'day') =>
    reservations.fits(capOf(scope, 'p', 4), wanted(0.5), elsewhere(count, usd));
  expect([fits(0, 0), fits(1, 0.5), fits(1, 0.6)]).toEqual([true, true, false]);
  expect(fits(1, 0.6, 'chat')).toBe(true);
});

it('counts a cost that is not stored yet only for other kernels', async () => {
  const { reservations } = opened();
  const [first, second] = [
    await reservations.take(wanted(0.5), null),
    await reservations.take(wanted(0.1), null),
  ];
  expect(first?.spent()).toBeUndefined();
  expect(reservations.fits(capOf('day', 'p', 4.4), wanted(0.5), null)).toBe(true);
  second?.free();
  expect(second?.spent()).toBeUndefined();
});
