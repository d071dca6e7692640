/**
 * Tests kernels of one database on machines whose clocks are wrong by an hour: the time of the database counts
 * (FLEET-3).
 */
import type { ScheduleRun } from '@chat-kernel/protocol';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { calls, held, says, textOf } from '../harness/story.ts';

afterAll(stopPostgres);

const HOUR = 60 * 60 * 1000;
const PATIENT = { timeout: 60_000, interval: 50 };
/** More than the delay of a loaded machine, and far less than the error of the clocks. */
const NEAR = 5 * 60_000;

async function open() {
  const fleet = await openFleet();
  const start = (name: string, ahead: number) => {
    const loaded = `--import=${new URL('../harness/wrong-clock.js', import.meta.url)}`;
    return fleet.start(name, {}, { environment: { NODE_OPTIONS: loaded, CLOCK_AHEAD_MS: String(ahead) } });
  };
  return { fleet, fast: await start('fast', HOUR), slow: await start('slow', -HOUR), start };
}

const isNear = (time: string | null | undefined) => Math.abs(Date.parse(String(time)) - Date.now()) < NEAR;

test('[FLEET-2] [FLEET-3] [FLEET-4] [FLEET-6] keeps kernels with wrong clocks alive, and starts schedules by the clock of the database', async () => {
  const { fleet, fast, slow } = await open();
  const db = new pg.Client({ connectionString: fleet.database });
  await db.connect();
  onTestFinished(() => db.end());
  const seen = async () => {
    const { rows } = await db.query<{ id: string; seen_at: string }>('select id, seen_at from kernels');
    return new Map(rows.map(({ id, seen_at }) => [id, Number(seen_at)]));
  };
  const before = await seen();
  for (const kernel of [fast, slow]) {
    const other = kernel === fast ? slow : fast;
    const chat = await kernel.api.newChat();
    const at = new Date(Date.now() + 1500).toISOString();
    const made = await other.api.post('/v1/schedules', { text: 'Now.', at, chat_id: chat.id });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const runs = async (): Promise<ScheduleRun[]> =>
      (await other.api.get(`/v1/schedules/${made.body.id}/runs`)).body.runs;
    await expect.poll(async () => (await runs()).map(({ status }) => status), PATIENT).toEqual(['completed']);
    const [run] = (await runs()) as [ScheduleRun];
    expect(Date.parse(String(run.started_at))).toBeGreaterThanOrEqual(Date.parse(at) - 1000);
    expect(isNear(run.started_at)).toBe(true);
  }
  // Longer than a kernel may be silent, by the clock of the database.
  const since = async () => {
    const now = await seen();
    return Math.min(...[fast, slow].map(({ id }) => (now.get(id) ?? 0) - (before.get(id) ?? 0)));
  };
  await expect.poll(since, PATIENT).toBeGreaterThan(11_000);
  for (const { api } of [fast, slow]) {
    const { kernels } = (await api.get('/v1/kernels')).body;
    expect(kernels).toMatchObject([
      { id: fast.id, here: true },
      { id: slow.id, here: true },
    ]);
    for (const kernel of kernels) expect(isNear(kernel.since)).toBe(true);
  }
  for (const { log } of [fast, slow]) expect(log()).not.toContain('declared this kernel dead');
});

test('[FLEET-3] wakes a sleeping turn by the clock of the database at another kernel', async () => {
  const { fleet, fast, slow } = await open();
  const chat = await fast.api.newChat();
  fleet.upstream.next(calls('s', 'sleep', { seconds: 4 }), says('awake'));
  const stream = await slow.api.turn(chat.id, { text: 'Wait.' });
  const { until } = await stream.until('sleeping');
  expect(isNear(until)).toBe(true);
  await fast.kill();
  await stream.closed();
  expect(textOf(stream.events)).toBe('awake');
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(until)) - 1000);
});

test('[FLEET-3] keeps the order of messages if a chat moves from a fast clock to a slow one', async () => {
  const { fleet, fast, slow } = await open();
  const chat = await fast.api.newChat();
  const first = held({ text: 'one' });
  fleet.upstream.next(first.reply);
  const texts = ['first', 'second', 'third', 'fourth'];
  await slow.api.turn(chat.id, { text: texts[0] as string });
  for (const text of texts.slice(1, 3)) await slow.api.turn(chat.id, { text });
  const again = held({ text: 'two' });
  fleet.upstream.next(again.reply, says('three'), says('four'));
  await fast.kill();
  const last = await slow.api.turn(chat.id, { text: texts[3] as string });
  expect(last.headers['x-kernel']).toBe(slow.id);
  again.go();
  await last.closed();
  const { items } = (await slow.api.get(`/v1/chats/${chat.id}/items`)).body;
  expect(
    items
      .filter((item: { kind: string }) => item.kind === 'user_message')
      .map(({ text }: { text: string }) => text),
  ).toEqual(texts);
  const ids: string[] = items
    .filter(({ kind }: { kind: string }) => kind === 'user_message')
    .map(({ message_id }: { message_id: string }) => message_id);
  expect(ids).toEqual(ids.toSorted());
});
