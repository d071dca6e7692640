/** Tests memory entries over the database of the run. */
import { describe, expect, test } from 'vitest';
import { NOW, nextId } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import type { MemoryRecord, ProposalRecord } from '../../src/memory/records.ts';
import { MemoryStore } from '../../src/memory/store.ts';

describe('The memory', memorySuite);

function memorySuite(): void {
  const stage = new Stage();
  const store = () => new MemoryStore(stage.store.transactions);
  test('reads entries back unchanged, the oldest first, also after a restart [MEM-1]', async () => {
    const hard = newEntry({ text: 'a\0b\ud800 "x"\n📓', chat_id: nextId(), turn_id: nextId() });
    const later = newEntry({ created_at: '2026-01-03T00:00:00.000Z' });
    await store().change({ add: [later, hard] });
    await stage.reopen();
    expect(await store().list()).toEqual([hard, later]);
  });

  test('saves and removes entries in one transaction, and keeps id and time of a saved entry [MEM-1]', async () => {
    const [one, two] = [newEntry(), newEntry()];
    await store().change({ add: [one, two] });
    const changed = { ...one, text: 'Coffee', updated_at: '2026-01-03T00:00:00.000Z' };
    const rewrite = [{ was: one, entry: changed }];
    expect(await store().change({ rewrite, remove: [two.id, nextId()] })).toBe(true);
    expect(await store().list()).toEqual([changed]);
  });

  test('changes nothing if an entry has changed since it was read [MEM-1]', async () => {
    const memory = store();
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

  test('reads proposals back unchanged, apart from the entries, and accepts one in a single transaction [CONSENT-4]', async () => {
    const memory = store();
    const [first, second] = [newProposal('a\0b\ud800 "x"\n📓'), newProposal('Coffee')];
    await memory.change({ propose: [first] });
    await memory.change({ propose: [second] });
    await stage.reopen();
    expect(new Set(await store().listProposals())).toEqual(new Set([first, second]));
    expect(await store().list()).toEqual([]);
    const entry = newEntry({ id: first.id, text: first.text });
    // A kernel that accepts the same proposal at the same time adds the entry, too.
    for (let n = 0; n < 2; n++) await store().change({ add: [entry], settle: [first.id] });
    expect(await store().list()).toEqual([entry]);
    expect(await store().listProposals()).toEqual([second]);
  });
}

const newProposal = (text: string): ProposalRecord => ({
  id: nextId(),
  text,
  created_at: NOW,
  replaces: null,
  origin: { reason: 'expired', chat_id: nextId(), turn_id: nextId(), outside: ['web:example.org'] },
});

const newEntry = (changes: Partial<MemoryRecord> = {}): MemoryRecord => ({
  id: nextId(),
  text: 'Tea',
  created_at: NOW,
  updated_at: NOW,
  chat_id: null,
  turn_id: null,
  ...changes,
});
