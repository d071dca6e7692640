/** Tests the video shelf: its order and its limit hold under many concurrent marks. */
import type { Subscription, Video } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { NOW } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import { VideoStore } from '../../src/videos/history-store.ts';
import { SubscriptionStore } from '../../src/videos/subscription-store.ts';

describe('The video shelf', videoSuite);

function videoSuite(): void {
  const stage = new Stage();
  const videos = () => new VideoStore(stage.store.transactions);
  const subscriptions = () => new SubscriptionStore(stage.store.transactions);
  const mark = (video_id: string, keep = 200, changes: Partial<Video> = {}) =>
    videos().mark(newVideo(video_id, changes), keep);
  const ids = async (limit = 500, before?: string) =>
    (await videos().list({ limit, ...(before !== undefined && { before }) }))?.map(row => row.video_id);

  test('reads videos back unchanged, the last marked first, also after a restart [VID-1]', async () => {
    const hard = {
      title: 'a\0b\ud800 "x"',
      metadata: { deep: [{ x: null }] },
      duration_s: 1.5,
      position_s: 0.1,
    };
    await mark('a', 9, hard);
    await mark('b');
    await mark('ä/?#%');
    await stage.reopen();
    const rows = await videos().list({ limit: 9 });
    expect(rows).toEqual([newVideo('ä/?#%'), newVideo('b'), newVideo('a', hard)]);
  });

  test('moves a video to the top on a second mark, also in the same millisecond [VID-1]', async () => {
    for (const id of ['a', 'b', 'c', 'a']) await mark(id, 9, { title: `of ${id}` });
    await mark('b', 9, { title: null });
    expect(await ids()).toEqual(['b', 'a', 'c']);
    expect((await videos().list({ limit: 1 }))?.[0]?.title).toBe(null);
  });

  test('drops the oldest videos on each new mark, and none on a repeated mark [VID-3]', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await mark(id, 3);
    expect(await ids()).toEqual(['d', 'c', 'b']);
    await mark('b', 3);
    expect(await ids()).toEqual(['b', 'd', 'c']);
  });

  test('stores all concurrent marks, and keeps exactly the limit of videos [VID-3]', async () => {
    const marks = Array.from({ length: 60 }, (_, index) => mark(`v${index % 40}`, 20));
    await Promise.all(marks);
    const kept = (await ids()) as string[];
    expect(new Set(kept).size).toBe(20);
    expect(kept).toHaveLength(20);
  });

  test('handles concurrent marks and deletions without errors', async () => {
    const work = Array.from({ length: 60 }, (_, index) =>
      index % 4 === 3 ? videos().delete() : mark(`v${index % 7}`, 3),
    );
    await Promise.all(work);
    expect((await ids())?.length).toBeLessThanOrEqual(3);
  });

  test('continues pages after a video, and returns no page after an unknown video [VID-4]', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await mark(id);
    expect(await ids(2)).toEqual(['d', 'c']);
    expect(await ids(2, 'c')).toEqual(['b', 'a']);
    expect(await ids(2, 'a')).toEqual([]);
    expect(await ids(2, 'A')).toBeUndefined();
    expect(await videos().delete('b')).toBe(1);
    expect(await videos().delete('b')).toBe(0);
    expect(await ids(2, 'b')).toBeUndefined();
    expect(await videos().delete()).toBe(3);
    expect(await ids()).toEqual([]);
  });

  test('lists subscriptions by title, ignoring case, then by id, and replaces all of them together [VID-5]', async () => {
    for (const [id, title] of [
      ['3', 'beta'],
      ['2', 'Ähre'],
      ['1', 'Alpha'],
      ['b', 'ALPHA'],
      ['4', 'old'],
    ] as const)
      await subscriptions().save(newSubscription(id, { title, metadata: { x: id } }));
    await subscriptions().save(newSubscription('4', { title: 'alpha' }));
    await stage.reopen();
    const list = await subscriptions().list();
    expect(list.map(({ channel_id }) => channel_id)).toEqual(['1', '4', 'b', '3', '2']);
    expect(list[1]).toEqual(newSubscription('4', { title: 'alpha' }));
    expect(await subscriptions().delete('4')).toBe(true);
    expect(await subscriptions().delete('4')).toBe(false);
    expect(await subscriptions().list()).toHaveLength(4);
  });

  test('adds missing subscriptions only, also concurrently', async () => {
    await subscriptions().save(newSubscription('a', { title: 'Mine' }));
    const some = ['c', 'a', 'b'].map(id => newSubscription(id));
    const added = await Promise.all([subscriptions().add(some), subscriptions().add(some.toReversed())]);
    expect(added.toSorted()).toEqual([0, 2]);
    const titles = (await subscriptions().list()).map(({ title }) => title);
    expect(titles).toEqual(['b', 'c', 'Mine']);
  });
}

const newVideo = (video_id: string, changes: Partial<Video> = {}): Video => ({
  video_id,
  title: 'A video',
  channel_id: null,
  channel_title: null,
  thumbnail_url: null,
  published_at: null,
  duration_s: 100,
  position_s: null,
  metadata: {},
  watched_at: NOW,
  ...changes,
});

const newSubscription = (channel_id: string, changes: Partial<Subscription> = {}): Subscription => ({
  channel_id,
  title: channel_id,
  url: null,
  avatar_url: null,
  metadata: {},
  ...changes,
});
