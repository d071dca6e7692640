/** Machines that stood by once, over any database. */
import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function handsSuite(stage: Stage): void {
  test('A machine is read back as it was given, also after a restart, until it is deleted [HANDS-1]', async () => {
    const odd = { client_id: 'a\0b\ud800 "x"', name: 'laptop', platform: 'linux', since: NOW };
    const other = { client_id: 'z', name: 'tower', platform: 'darwin', since: NOW };
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
