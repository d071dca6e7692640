/** Tests modules on each database. */
import type { ModuleRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function moduleSuite(stage: Stage): void {
  test('reads modules back by name as saved, also after a restart [MOD-2, MOD-9]', async () => {
    expect(await stage.store.modules.list()).toEqual([]);
    const odd = newModule('odd', { hash: 'h1', approved_hash: 'h1', decided_at: NOW });
    odd.approved_declaration = { ...odd.declaration, version: '0.9.0' };
    odd.declaration.about = 'NUL \0, half a character \ud800, Grüße';
    const mail = newModule('Mail');
    await stage.store.modules.save(odd);
    await stage.store.modules.save(mail);
    expect(await stage.store.modules.list()).toEqual([mail, odd]);
    await stage.reopen();
    expect(await stage.store.modules.list()).toEqual([mail, odd]);
  });

  test('replaces the record with the same name, and no other', async () => {
    await stage.store.modules.save(newModule('mail', { approved_hash: 'old', decided_at: NOW }));
    const other = newModule('mail2');
    await stage.store.modules.save(other);
    const revoked = newModule('mail', { hash: 'new', approved_hash: null, decided_at: NOW });
    await stage.store.modules.save(revoked);
    expect(await stage.store.modules.list()).toEqual([revoked, other]);
  });

  test('stores a module once if it is saved many times concurrently', async () => {
    const records = Array.from({ length: 20 }, (_, index) => newModule('mail', { hash: `h${index}` }));
    await Promise.all(records.map(record => stage.store.modules.save(record)));
    const kept = await stage.store.modules.list();
    expect(kept).toHaveLength(1);
    expect(records).toContainEqual(kept[0]);
  });
}

function newModule(name: string, changes: Partial<ModuleRecord> = {}): ModuleRecord {
  return {
    name,
    declaration: {
      protocol: 1,
      name,
      version: '1.0.0',
      about: 'sends mail',
      tools: [{ name: 'send', description: 'Sends.', input_schema: { type: 'object' } }],
      stages: [{ stage: 'message', on_error: 'block', timeout_secs: 2 }],
    },
    hash: 'h',
    approved_hash: null,
    approved_declaration: null,
    decided_at: null,
    ...changes,
  };
}
