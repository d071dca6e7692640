/** Tests turns whose insert has an unknown outcome. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { UnconfirmedTurns } from '../src/turns/unconfirmed-turns.ts';

/** Runs everything that waits for no timer. */
const settle = () => new Promise(resolve => setImmediate(resolve));

function opened() {
  const clock = new ManualClock();
  const tried: string[] = [];
  const store = { isAway: true };
  const turns = new UnconfirmedTurns(clock, async ({ id }) => {
    tried.push(id);
    if (store.isAway) throw new Error('the database is away');
  });
  return { clock, tried, store, turns };
}

it('looks for each turn once a second until the store answers, and then no more', async () => {
  const { clock, tried, store, turns } = opened();
  await turns.failed({ chat_id: 'c', id: 'a' });
  await turns.failed({ chat_id: 'd', id: 'b' });
  expect([tried, clock.timers.size]).toEqual([['a', 'b'], 1]);
  clock.advance(1000);
  await settle();
  expect(tried).toEqual(['a', 'b', 'a', 'b']);
  store.isAway = false;
  clock.advance(1000);
  await settle();
  expect([tried.slice(4), clock.timers.size]).toEqual([['a', 'b'], 0]);
  await turns.settle('c');
  expect(tried).toHaveLength(6);
});

it('rejects for a chat whose turns are still unknown, and forgets a deleted chat', async () => {
  const { tried, turns } = opened();
  await turns.failed({ chat_id: 'c', id: 'a' });
  await expect(turns.settle('c')).rejects.toThrow('the database is away');
  turns.forget('c');
  await turns.settle('c');
  expect(tried).toEqual(['a', 'a']);
});

it('stops looking when the kernel stops', async () => {
  const { clock, tried, turns } = opened();
  await turns.failed({ chat_id: 'c', id: 'a' });
  turns.stop();
  clock.advance(1000);
  await settle();
  expect([tried, clock.timers.size]).toEqual([['a'], 0]);
});
