import { expect, it } from 'vitest';
import { ChatQueue } from '../src/turns/chat-queue.ts';

it('[EV-12] a queue whose last follower has left says so, that it may leave memory', () => {
  let left = 0;
  const queue = new ChatQueue(
    async () => {},
    () => left++,
    { gate: undefined, state: null },
  );
  const [first, second] = [queue.onBegin(() => {}), queue.onBegin(() => {})];
  first();
  expect(queue.idle).toBe(false);
  second();
  second();
  expect([queue.idle, left]).toEqual([true, 2]);
});
