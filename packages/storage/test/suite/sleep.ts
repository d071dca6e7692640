/** Tests sleep of a turn and of the whole kernel, on each database. */
import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function sleepSuite(stage: Stage): void {
  test('stores no sleep at first, and keeps a sleep until it is removed, also after a restart', async () => {
    expect(await stage.store.sleep.get()).toBeNull();
    await stage.store.sleep.save({ since: NOW, until: null, reason: null });
    const sleep = { since: NOW, until: '2026-02-03T04:05:06.789Z', reason: 'Quiet\0 hours' };
    await stage.store.sleep.save(sleep);
    await stage.reopen();
    expect(await stage.store.sleep.get()).toEqual(sleep);
    await stage.store.sleep.save(null);
    await stage.store.sleep.save(null);
    expect(await stage.store.sleep.get()).toBeNull();
  });

  test('stores reason and duration of the sleep of a turn, and removes them when it wakes', async () => {
    const chat = await stage.chat();
    const { turn } = await stage.turn(chat.id);
    const write = { turn_id: turn.id, chat_id: chat.id };
    const sleep = { since: NOW, until: null, reason: 'Waits\0 for mail', call_id: 'c1' };
    await stage.store.turns.write({ ...write, turn: { status: 'sleeping', sleep } });
    await stage.reopen();
    expect(await stage.store.turns.get(chat.id, turn.id)).toEqual({ ...turn, status: 'sleeping', sleep });
    await stage.store.turns.write({ ...write, turn: { status: 'running' } });
    expect((await stage.store.turns.get(chat.id, turn.id))?.sleep).toEqual(sleep);
    await stage.store.turns.write({ ...write, turn: { sleep: null } });
    expect((await stage.store.turns.get(chat.id, turn.id))?.sleep).toBeNull();
  });
}
