import { expect, it } from 'vitest';
import { ChatQueue } from '../src/turns/chat-queue.ts';

const follower = () => ({ onBegin: () => {}, onEvent: () => {} });

it('[EV-12] reports when its last follower leaves, so that it can leave memory', () => {
  let left = 0;
  const queue = new ChatQueue(
    async () => {},
    () => left++,
    { gate: undefined, state: null },
  );
  const [first, second] = [queue.follow(follower()), queue.follow(follower())];
  first();
  expect(queue.idle).toBe(false);
  second();
  second();
  expect([queue.idle, left]).toEqual([true, 2]);
});
