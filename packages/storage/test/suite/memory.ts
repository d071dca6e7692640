/** Entries of the memory, over any database. */
import type { MemoryRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function memorySuite(stage: Stage): void {
  test('Entries are read back as they were given, the oldest first, also after a restart [MEM-1]', async () => {
    const hard = newEntry({ text: 'a\0b\ud800 "x"\n📓', chat_id: nextId(), turn_id: nextId() });
    const later = newEntry({ created_at: '2026-01-03T00:00:00.000Z' });
    await stage.store.memory.change({ add: [later, hard] });
    await stage.reopen();
    expect(await stage.store.memory.list()).toEqual([hard, later]);
  });

  test('A change saves and removes as one; an entry that is saved again keeps its id and its time [MEM-1]', async () => {
    const [one, two] = [newEntry(), newEntry()];
    await stage.store.memory.change({ add: [one, two] });
    const changed = { ...one, text: 'Coffee', updated_at: '2026-01-03T00:00:00.000Z' };
    const rewrite = [{ was: one, entry: changed }];
    expect(await stage.store.memory.change({ rewrite, remove: [two.id, nextId()] })).toBe(true);
    expect(await stage.store.memory.list()).toEqual([changed]);
  });

  test('A change of what is not any more what it was changes nothing at all [MEM-1]', async () => {
    const { memory } = stage.store;
    const [one, two, gone] = [newEntry(), newEntry(), newEntry()];
    await memory.change({ add: [one, two] });
    const texts = ['Coffee', 'Water'] as const;
    const changed = texts.map(text => ({ ...one, text, updated_at: '2026-01-03T00:00:00.000Z' }));
    expect(await memory.change({ rewrite: [{ was: one, entry: changed[0]! }] })).toBe(true);
    for (const was of [one, gone]) {
      const change = { add: [newEntry()], rewrite: [{ was, entry: { ...changed[1]!, id: was.id } }] };
      expect(await memory.change({ ...change, remove: [two.id] })).toBe(false);
    }
    expect(new Set(await memory.list())).toEqual(new Set([changed[0], two]));
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
