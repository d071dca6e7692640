import { expect, it } from 'vitest';
import { Lane } from '../src/turns/queue.ts';

it('[EV-12] a lane whose last follower has left says so, that it may leave memory', () => {
  let left = 0;
  const lane = new Lane(
    async () => {},
    () => left++,
    { gate: undefined, state: null },
  );
  const [first, second] = [lane.onBegin(() => {}), lane.onBegin(() => {})];
  first();
  expect(lane.idle).toBe(false);
  second();
  second();
  expect([lane.idle, left]).toEqual([true, 2]);
});
