/** Tests the video shelf: history and subscriptions, the same for all clients (VID-1 to VID-5). */
import { Socket } from 'node:net';
import type { KernelEvent, Video, VideoPage } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';

let kernel: TestKernel;
const connect = vi.spyOn(Socket.prototype, 'connect');
beforeAll(async () => {
  kernel = await startKernel();
});
beforeEach(async () => {
  await kernel.api.delete('/v1/video/history');
  const { subscriptions } = (await kernel.api.get('/v1/video/subscriptions')).body;
  for (const { channel_id } of subscriptions) await kernel.api.delete(subscription(channel_id));
});
afterAll(async () => {
  await kernel.stop();
});

const video = (id: string) => `/v1/video/history/${encodeURIComponent(id)}`;
const subscription = (id: string) => `/v1/video/subscriptions/${encodeURIComponent(id)}`;
const mark = (id: string, body: object = {}) => kernel.api.put(video(id), { duration_s: 100, ...body });
const page = async (query = '') => (await kernel.api.get(`/v1/video/history${query}`)).body;
const ids = async (query = '?limit=500'): Promise<string[]> =>
  (await page(query)).rows.map((row: Video) => row.video_id);

const EMPTY = {
  title: null,
  channel_id: null,
  channel_title: null,
  thumbnail_url: null,
  published_at: null,
  position_s: null,
  metadata: {},
};

test('[VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top', async () => {
  const whole = {
    title: 'One',
    channel_id: 'ch',
    channel_title: 'A channel',
    thumbnail_url: 'https://i.invalid/1.jpg',
    published_at: '2 years ago',
    duration_s: 61.5,
    position_s: 30.25,
    metadata: { live: false, chapters: [{ at: 1 }] },
  };
  const first = await mark('one', whole);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ video_id: 'one', ...whole, watched_at: expect.stringMatching(/Z$/) });
  expect((await page()).rows).toEqual([first.body]);
  await mark('two');
  const again = await mark('one', whole);
  expect(again.body).toEqual({ ...first.body, watched_at: again.body.watched_at });
  expect(await ids()).toEqual(['one', 'two']);
  const fresh = await mark('one');
  const { watched_at } = fresh.body;
  expect(fresh.body).toEqual({ video_id: 'one', ...EMPTY, duration_s: 100, watched_at });
  expect((await page()).rows[0]).toEqual(fresh.body);
  expect(await ids()).toHaveLength(2);
});

test.each([
  [2, 100, 2],
  [97, 100, 97],
  [1.999, 100, null],
  [97.001, 100, null],
  [50, 100, 50],
  [0, 100, null],
  [-50, 100, null],
  [150, 100, null],
  [null, 100, null],
  [5, 0, null],
  [5, -1, null],
  [-5, -10, null],
  [0, 0, null],
  [0.14, 7, 0.14],
  [1e300, 2e300, 1e300],
  [3600, 7200.5, 3600],
])('[VID-2] stores a stop at %s of %s seconds as %s in its row', async (position_s, duration_s, kept) => {
  const { body } = await mark('v', { position_s, duration_s });
  expect(body).toMatchObject({ position_s: kept, duration_s });
  expect((await page()).rows).toEqual([body]);
});

test('[VID-3] keeps the last two hundred marks, also of concurrent requests', async () => {
  const own = await kernelOf();
  const put = (id: string) => own.api.put(video(id), { duration_s: 1 });
  const list = async (query: string): Promise<VideoPage> =>
    (await own.api.get(`/v1/video/history${query}`)).body;
  const listed = async (query = '?limit=500'): Promise<string[]> =>
    (await list(query)).rows.map(row => row.video_id);
  await Promise.all(Array.from({ length: 230 }, (_, index) => put(`p${index}`)));
  expect(new Set(await listed()).size).toBe(200);
  for (let index = 0; index < 5; index++) await put(`last${index}`);
  const kept = await listed();
  expect(kept).toHaveLength(200);
  expect(kept.slice(0, 5)).toEqual(['last4', 'last3', 'last2', 'last1', 'last0']);
  const oldest = kept.at(-1) as string;
  await put(oldest);
  expect(await listed()).toEqual([oldest, ...kept.slice(0, -1)]);
  await put('one more');
  const now = ['one more', oldest, ...kept.slice(0, -2)];
  expect(await listed()).toEqual(now);
  // Read pages while other clients mark the same few videos: unchanged ones are neither missed nor seen twice.
  const seen: string[] = [];
  for (let before: string | null = now[9] as string; before !== null; ) {
    const marks = Array.from({ length: 8 }, (_, index) => put(now[index] as string));
    const { rows, next_before } = await list(`?limit=30&before=${before}`);
    await Promise.all(marks);
    seen.push(...rows.map(row => row.video_id));
    before = next_before;
  }
  expect(seen).toEqual(now.slice(10));
  const { rows } = await list('?limit=500');
  const times = rows.map(row => row.watched_at);
  expect(times).toEqual(times.toSorted().reverse());
});

test('[VID-4] returns pages after a video, by 50 by default, down to an empty page, and 400 for an unknown id', async () => {
  for (let index = 0; index < 60; index++) await mark(`v${index}`);
  const all = await ids();
  expect(all[0]).toBe('v59');
  const first = await page();
  expect(first.rows).toHaveLength(50);
  expect(first.next_before).toBe('v10');
  const second = await page(`?before=${first.next_before}&limit=7`);
  expect(second.rows.map((row: Video) => row.video_id)).toEqual(all.slice(50, 57));
  expect(await page('?before=v0')).toEqual({ rows: [], next_before: null });
  // After it moved to the top, it is a cursor at its new position.
  await mark('v10');
  expect(await ids('?before=v10&limit=1')).toEqual(['v59']);
  for (const before of ['', 'V10', 'nothing', '%00', 'a'.repeat(300)]) {
    const refused = await kernel.api.get(`/v1/video/history?before=${before}`);
    expect([before, refused.status, refused.body.code]).toEqual([before, 400, 'unknown_cursor']);
  }
  await kernel.api.delete(video('v10'));
  expect((await kernel.api.get('/v1/video/history?before=v10')).body.code).toBe('unknown_cursor');
  for (const limit of ['0', '501', 'x', '1.5'])
    expect((await kernel.api.get(`/v1/video/history?limit=${limit}`)).body.code).toBe('invalid_value');
});

test('accepts ids of 1 to 200 printable characters, percent-encoded, and returns 404 for others', async () => {
  for (const id of [
    'dQw4w9WgXcQ',
    'https://a.invalid/w?v=1&b=%2F#x',
    ' ä日👩‍👧 ',
    '-',
    'x'.repeat(200),
    '语'.repeat(200),
  ]) {
    expect((await mark(id)).body.video_id).toBe(id);
    expect(await ids(`?limit=1`)).toEqual([id]);
    expect(await ids(`?limit=1&before=${encodeURIComponent(id)}`)).not.toContain(id);
    expect((await kernel.api.delete(video(id))).body).toEqual({ deleted: 1 });
    expect((await kernel.api.delete(video(id))).status).toBe(404);
  }
  for (const id of ['x'.repeat(201), 'a\nb', 'a\0b', '\u0085'])
    expect([id, (await mark(id)).status]).toEqual([id, 404]);
  expect((await kernel.api.put('/v1/video/history/%FF', { duration_s: 1 })).status).toBe(404);
});

test('returns 422 for metadata that is larger than 16 KiB, too deep, or not an object', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const bodies = [
    { metadata: { a: 'x'.repeat(16 * 1024) } },
    { metadata: { a: 'ä'.repeat(8 * 1024) } },
    { metadata: deep(21) },
    { metadata: [] },
    { metadata: null },
    { duration_s: '1' },
    { duration_s: null },
    { position_s: '1' },
    { title: 1 },
    { title: 'x'.repeat(2001) },
  ];
  for (const body of bodies) expect((await mark('v', body)).status).toBe(422);
  // A body this deep is refused before its metadata is examined.
  expect((await mark('v', { metadata: deep(3000) })).status).toBe(400);
  expect((await kernel.api.put(video('v'), {})).body.code).toBe('schema_mismatch');
  expect(await ids()).toEqual([]);
  expect((await mark('v', { metadata: { a: 'x'.repeat(16 * 1024 - 8) } })).status).toBe(200);
  expect((await mark('v', { metadata: deep(20) })).status).toBe(200);
});

test('[VID-5] follows channels, replaces their data, lists them by title and removes them', async () => {
  const { api } = kernel;
  const put = (id: string, title: string, more: object = {}) => api.put(subscription(id), { title, ...more });
  const more = { url: 'https://a.invalid', avatar_url: 'https://a.invalid/a.png', metadata: { x: [1] } };
  expect((await put('c/1', 'beta', more)).body).toEqual({ channel_id: 'c/1', title: 'beta', ...more });
  for (const [id, title] of [
    ['c2', 'Alpha'],
    ['c0', 'ALPHA'],
    ['c3', 'Émile'],
  ] as const)
    await put(id, title);
  const titles = async () =>
    (await api.get('/v1/video/subscriptions')).body.subscriptions.map((one: { title: string }) => one.title);
  expect(await titles()).toEqual(['ALPHA', 'Alpha', 'beta', 'Émile']);
  const bare = { channel_id: 'c/1', title: 'aardvark', url: null, avatar_url: null, metadata: {} };
  expect((await put('c/1', 'aardvark')).body).toEqual(bare);
  expect(await titles()).toEqual(['aardvark', 'ALPHA', 'Alpha', 'Émile']);
  expect((await api.delete(subscription('c/1'))).body).toEqual({ deleted: 1 });
  expect((await api.delete(subscription('c/1'))).status).toBe(404);
  expect((await put('c4', 'x', { metadata: { a: 'x'.repeat(17_000) } })).status).toBe(422);
  expect((await api.put(subscription('c4'), {})).status).toBe(422);
});

test('[EV-1] notifies all clients of a change of the shelf, and only of a change', async () => {
  const { api, client } = kernel;
  await mark('gone');
  const stream = await client.watchAll();
  onTestFinished(() => stream.hangUp());
  await mark('v');
  await api.delete(video('nothing'));
  await api.delete(video('v'));
  await api.delete('/v1/video/history');
  await api.delete('/v1/video/history');
  await api.put(subscription('c'), { title: 'C' });
  await api.delete(subscription('c'));
  await api.delete(subscription('c'));
  const { id } = await client.createChat();
  await stream.until(event => event.type === 'chat_created' && event.chat.id === id);
  const told = stream.events.filter((event: KernelEvent) => event.type === 'video_changed');
  const history = { type: 'video_changed', what: 'history' };
  const subscriptions = { type: 'video_changed', what: 'subscriptions' };
  expect(told).toEqual([history, history, history, subscriptions, subscriptions]);
});

test('[SVC-4] opens no connection for any call of the shelf', async () => {
  const { api } = kernel;
  const url = 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv';
  connect.mockClear();
  await mark('dQw4w9WgXcQ', { thumbnail_url: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/0.jpg' });
  await page();
  await api.put(subscription('UCabcdefghijklmnopqrstuv'), { title: 'C', url, avatar_url: url });
  const file = JSON.stringify({ subscriptions: [{ service_id: 0, url, name: 'C' }] });
  await api.raw('/v1/video/import', { method: 'POST', body: file });
  for (const format of ['opml', 'newpipe'])
    await api.raw(`/v1/video/export?format=${format}`, { method: 'GET' });
  await api.get('/v1/video/subscriptions');
  await api.delete(subscription('UCabcdefghijklmnopqrstuv'));
  await api.delete(video('dQw4w9WgXcQ'));
  // The kernel runs in this process: all connections from here are the calls themselves, one each.
  const ports = connect.mock.calls.map(call => portOf(call));
  expect(ports).toEqual(Array.from({ length: 9 }, () => new URL(kernel.url).port));
});

/** Returns the port from the arguments with which Node calls `connect`: options, maybe in a list. */
function portOf(call: readonly unknown[]): string {
  const [options] = call.flat() as { port?: number | string; host?: string }[];
  return String(options?.port);
}
