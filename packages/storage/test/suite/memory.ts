/** Entries of the memory, over any database. */
import type { MemoryRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function memorySuite(stage: Stage): void {
  test('Entries are read back as they were given, the oldest first, also after a restart [MEM-1]', async () => {
    const hard = newEntry({ text: 'a\0b\ud800 "x"\n📓', chat_id: nextId(), turn_id: nextId() });
    const later = newEntry({ created_at: '2026-01-03T00:00:00.000Z' });
    await stage.store.memory.change({ save: [later, hard], remove: [] });
    await stage.reopen();
    expect(await stage.store.memory.list()).toEqual([hard, later]);
  });

  test('A change saves and removes as one; an entry that is saved again keeps its id and its time [MEM-1]', async () => {
    const [one, two] = [newEntry(), newEntry()];
    await stage.store.memory.change({ save: [one, two], remove: [] });
    const changed = { ...one, text: 'Coffee', updated_at: '2026-01-03T00:00:00.000Z' };
    await stage.store.memory.change({ save: [changed], remove: [two.id, nextId()] });
    expect(await stage.store.memory.list()).toEqual([changed]);
  });
}

const newEntry = (changes: Partial<MemoryRecord> = {}): MemoryRecord => ({
  id: nextId(),
  text: 'Tea',
  created_at: NOW,
  updated_at: NOW,
  chat_id: null,
  turn_id: null,
  ...changes,
});
