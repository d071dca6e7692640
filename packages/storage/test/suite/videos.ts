/** The video shelf: its order and its cut hold under many marks at once. */
import type { SubscriptionRecord, VideoRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function videoSuite(stage: Stage): void {
  const mark = (video_id: string, keep = 200, changes: Partial<VideoRecord> = {}) =>
    stage.store.videos.mark(newVideo(video_id, changes), keep);
  const ids = async (limit = 500, before?: string) =>
    (await stage.store.videos.list({ limit, ...(before !== undefined && { before }) }))?.map(
      row => row.video_id,
    );

  test('Videos are read back as they were given, the last marked first, also after a restart [VID-1]', async () => {
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
    const rows = await stage.store.videos.list({ limit: 9 });
    expect(rows).toEqual([newVideo('ä/?#%'), newVideo('b'), newVideo('a', hard)]);
  });

  test('A second mark takes the place of the first, at the top, in the same millisecond too [VID-1]', async () => {
    for (const id of ['a', 'b', 'c', 'a']) await mark(id, 9, { title: `of ${id}` });
    await mark('b', 9, { title: null });
    expect(await ids()).toEqual(['b', 'a', 'c']);
    expect((await stage.store.videos.list({ limit: 1 }))?.[0]?.title).toBe(null);
  });

  test('The tail is dropped on each mark, and a mark of what is there drops nothing [VID-3]', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await mark(id, 3);
    expect(await ids()).toEqual(['d', 'c', 'b']);
    await mark('b', 3);
    expect(await ids()).toEqual(['b', 'd', 'c']);
  });

  test('Many marks at once all count, and exactly so many videos stay [VID-3]', async () => {
    const marks = Array.from({ length: 60 }, (_, index) => mark(`v${index % 40}`, 20));
    await Promise.all(marks);
    const kept = (await ids()) as string[];
    expect(new Set(kept).size).toBe(20);
    expect(kept).toHaveLength(20);
  });

  test('Marks and deletions may come at once: none fails', async () => {
    const work = Array.from({ length: 60 }, (_, index) =>
      index % 4 === 3 ? stage.store.videos.delete() : mark(`v${index % 7}`, 3),
    );
    await Promise.all(work);
    expect((await ids())?.length).toBeLessThanOrEqual(3);
  });

  test('Pages go on below a video; one that is not there gives none [VID-4]', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await mark(id);
    expect(await ids(2)).toEqual(['d', 'c']);
    expect(await ids(2, 'c')).toEqual(['b', 'a']);
    expect(await ids(2, 'a')).toEqual([]);
    expect(await ids(2, 'A')).toBeUndefined();
    expect(await stage.store.videos.delete('b')).toBe(1);
    expect(await stage.store.videos.delete('b')).toBe(0);
    expect(await ids(2, 'b')).toBeUndefined();
    expect(await stage.store.videos.delete()).toBe(3);
    expect(await ids()).toEqual([]);
  });

  test('Subscriptions come by title whatever its case, then by id, and are replaced as a whole [VID-5]', async () => {
    for (const [id, title] of [
      ['3', 'beta'],
      ['2', 'Ähre'],
      ['1', 'Alpha'],
      ['b', 'ALPHA'],
      ['4', 'old'],
    ] as const)
      await stage.store.subscriptions.save(newSubscription(id, { title, metadata: { x: id } }));
    await stage.store.subscriptions.save(newSubscription('4', { title: 'alpha' }));
    await stage.reopen();
    const list = await stage.store.subscriptions.list();
    expect(list.map(({ channel_id }) => channel_id)).toEqual(['1', '4', 'b', '3', '2']);
    expect(list[1]).toEqual(newSubscription('4', { title: 'alpha' }));
    expect(await stage.store.subscriptions.delete('4')).toBe(true);
    expect(await stage.store.subscriptions.delete('4')).toBe(false);
    expect(await stage.store.subscriptions.list()).toHaveLength(4);
  });

  test('Adding leaves those that are there; two that add the same at once add it once', async () => {
    await stage.store.subscriptions.save(newSubscription('a', { title: 'Mine' }));
    const some = ['c', 'a', 'b'].map(id => newSubscription(id));
    const added = await Promise.all([
      stage.store.subscriptions.add(some),
      stage.store.subscriptions.add(some.toReversed()),
    ]);
    expect(added.toSorted()).toEqual([0, 2]);
    const titles = (await stage.store.subscriptions.list()).map(({ title }) => title);
    expect(titles).toEqual(['b', 'c', 'Mine']);
  });
}

const newVideo = (video_id: string, changes: Partial<VideoRecord> = {}): VideoRecord => ({
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

const newSubscription = (
  channel_id: string,
  changes: Partial<SubscriptionRecord> = {},
): SubscriptionRecord => ({
  channel_id,
  title: channel_id,
  url: null,
  avatar_url: null,
  metadata: {},
  ...changes,
});
