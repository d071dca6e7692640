/** Tests push subscriptions over the database of the run. */
import { describe, expect, test } from 'vitest';
import { NOW, nextId } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import { type PushSubscriptionRecord, PushSubscriptionStore } from '../../src/push/store.ts';

describe('Push subscriptions', pushSuite);

function pushSuite(): void {
  const stage = new Stage();
  const store = () => new PushSubscriptionStore(stage.store.transactions);
  test('reads a subscription back unchanged, the oldest first, also after a restart [PUSH-1]', async () => {
    const hard = newSubscription('https://a.example/1', { name: 'a\0b\ud800 "x"', on: ['turn_ended'] });
    const later = newSubscription('https://a.example/2', { created_at: '2026-01-03T00:00:00.000Z' });
    expect(await store().save(later)).toEqual(later);
    expect(await store().save(hard)).toEqual(hard);
    await stage.reopen();
    expect(await store().list()).toEqual([hard, later]);
  });

  test('replaces everything but id and time for the same endpoint, also concurrently [PUSH-1]', async () => {
    const first = newSubscription('https://a.example/1');
    await store().save(first);
    const changes = { name: 'New', auth: 'other', on: ['spend_cap' as const] };
    const again = newSubscription(first.endpoint, { ...changes, created_at: '2026-01-03T00:00:00.000Z' });
    const replaced = { ...first, ...changes };
    expect(await store().save(again)).toEqual(replaced);
    expect(await store().list()).toEqual([replaced]);
    await Promise.all(Array.from({ length: 10 }, () => store().save(first)));
    expect(await store().list()).toEqual([first]);
  });

  test('deletes a subscription by its id, once', async () => {
    const [one, two] = [newSubscription('https://a.example/1'), newSubscription('https://a.example/2')];
    for (const each of [one, two]) await store().save(each);
    expect(await store().delete(one.id)).toBe(true);
    expect(await store().delete(one.id)).toBe(false);
    expect(await store().list()).toEqual([two]);
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
