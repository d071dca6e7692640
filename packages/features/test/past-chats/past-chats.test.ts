import type { Store } from '@chat-kernel/kernel';
import { expect, it } from 'vitest';
import { PastChats } from '../../src/past-chats/past-chats.ts';

it('[MEM-3] names the id of a missing chat in the error, truncated if it is long', async () => {
  // A value that is not an id causes no lookup.
  const pastChats = new PastChats({} as Store);
  await expect(pastChats.read('tea', { limit: 1 })).rejects.toThrow(/^there is no chat tea$/);
  await expect(pastChats.read('x'.repeat(101), { limit: 1 })).rejects.toThrow(/^there is no chat x{100}$/);
});
