/** Tests known stand-by machines on each database. */
import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function handsSuite(stage: Stage): void {
  test('reads a machine back unchanged, also after a restart, until it is deleted [HANDS-1]', async () => {
    const odd = { client_id: 'a\0b\ud800 "x"', name: 'laptop', platform: 'linux', since: NOW };
    const other = { client_id: 'z', name: 'tower', platform: 'darwin', since: NOW, secret_hash: 'f00d' };
    await stage.store.hands.save(odd);
    await stage.store.hands.save(other);
    await stage.reopen();
    expect(await stage.store.hands.list()).toEqual([odd, other]);
    await stage.store.hands.save({ ...odd, name: 'notebook' });
    await stage.store.hands.delete('z');
    await stage.store.hands.delete('z');
    expect(await stage.store.hands.list()).toEqual([{ ...odd, name: 'notebook' }]);
  });
}
