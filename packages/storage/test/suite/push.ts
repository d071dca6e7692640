/** Browsers that want word, over any database. */
import type { PushSubscriptionRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function pushSuite(stage: Stage): void {
  test('A subscription is read back as it was given, the oldest first, also after a restart [PUSH-1]', async () => {
    const hard = newSubscription('https://a.example/1', { name: 'a\0b\ud800 "x"', on: ['turn_ended'] });
    const later = newSubscription('https://a.example/2', { created_at: '2026-01-03T00:00:00.000Z' });
    expect(await stage.store.pushSubscriptions.save(later)).toEqual(later);
    expect(await stage.store.pushSubscriptions.save(hard)).toEqual(hard);
    await stage.reopen();
    expect(await stage.store.pushSubscriptions.list()).toEqual([hard, later]);
  });

  test('The same endpoint again replaces all but id and time, also at once [PUSH-1]', async () => {
    const first = newSubscription('https://a.example/1');
    await stage.store.pushSubscriptions.save(first);
    const changes = { name: 'New', auth: 'other', on: ['spend_cap' as const] };
    const again = newSubscription(first.endpoint, { ...changes, created_at: '2026-01-03T00:00:00.000Z' });
    const replaced = { ...first, ...changes };
    expect(await stage.store.pushSubscriptions.save(again)).toEqual(replaced);
    expect(await stage.store.pushSubscriptions.list()).toEqual([replaced]);
    await Promise.all(Array.from({ length: 10 }, () => stage.store.pushSubscriptions.save(first)));
    expect(await stage.store.pushSubscriptions.list()).toEqual([first]);
  });

  test('One is deleted by its id, once', async () => {
    const [one, two] = [newSubscription('https://a.example/1'), newSubscription('https://a.example/2')];
    for (const each of [one, two]) await stage.store.pushSubscriptions.save(each);
    expect(await stage.store.pushSubscriptions.delete(one.id)).toBe(true);
    expect(await stage.store.pushSubscriptions.delete(one.id)).toBe(false);
    expect(await stage.store.pushSubscriptions.list()).toEqual([two]);
  });
}

const newSubscription = (
  endpoint: string,
  changes: Partial<PushSubscriptionRecord> = {},
): PushSubscriptionRecord => ({
  id: nextId(),
  endpoint,
  p256dh: 'point',
  auth: 'secret',
  name: null,
  on: null,
  created_at: NOW,
  ...changes,
});
