/** Tests due times: each has one row and one outcome, whatever happens to the clock, the chat or the kernel. */
import { expect, test } from 'vitest';
import { startPushService } from '../harness/push-service.ts';
import { HOUR, MINUTE, type ScheduledKernel, scheduled } from '../harness/schedules.ts';
import { held } from '../harness/story.ts';

const day = (time: string) => `2026-03-10T${time}.000Z`;
const textsOf = async ({ client }: ScheduledKernel, chatId: string) =>
  (await client.items(chatId)).map(item => 'text' in item && item.text);

test('[SCHED-2] records one turn and one row at a due time, and waits for the next', async () => {
  const kernel = await scheduled(day('12:00:00'));
  const { api, clock, upstream, add, become } = kernel;
  const chat = await api.newChat();
  const { id, next_at } = await add({ cron: '*/30 * * * *', timezone: 'UTC', chat_id: chat.id });
  expect(next_at).toBe(day('12:30:00'));
  const events = await api.events();
  clock.advance(29 * MINUTE);
  expect((await api.get(`/v1/schedules/${id}/runs`)).body.runs).toEqual([]);
  const slow = held({ text: 'Hello.' });
  upstream.next(slow.reply);
  clock.advance(MINUTE);
  const [running] = await become(id, [[day('12:30:00'), 'running']]);
  expect(running).toEqual({
    due_at: day('12:30:00'),
    started_at: day('12:30:00'),
    ended_at: null,
    chat_id: chat.id,
    turn_id: expect.any(String),
    status: 'running',
  });
  slow.go();
  await become(id, [[day('12:30:00'), 'completed']]);
  const ended = await events.until(({ type }) => type === 'schedule_ended');
  const { turn_id } = running!;
  const told = { schedule_id: id, due_at: day('12:30:00'), status: 'completed', chat_id: chat.id, turn_id };
  expect(ended).toEqual({ type: 'schedule_ended', ...told });
  clock.advance(30 * MINUTE);
  await become(id, [
    [day('12:30:00'), 'completed'],
    [day('13:00:00'), 'completed'],
  ]);
  expect((await api.get(`/v1/schedules/${id}`)).body.next_at).toBe(day('13:30:00'));
  expect(await textsOf(kernel, chat.id)).toEqual(['Good morning.', 'Hello.', 'Good morning.', 'ok']);
  events.hangUp();
});

test('[SCHED-2] queues the run in a busy chat and a sleeping kernel, and records a dropped one as cancelled', async () => {
  const kernel = await scheduled(day('12:29:50'));
  const { api, client, clock, upstream, add, become } = kernel;
  const chat = await api.newChat();
  const slow = held({ text: 'At last.' });
  upstream.next(slow.reply);
  const before = await client.begin(chat.id, { text: 'Work.' });
  const { id } = await add({ cron: '*/30 * * * *', timezone: 'UTC', chat_id: chat.id });
  // Within the time limit of the other turn's provider request.
  clock.advance(10_000);
  const [waiting] = await become(id, [[day('12:30:00'), 'running']]);
  expect(waiting?.started_at).toBeNull();
  slow.go();
  await before.all();
  await become(id, [[day('12:30:00'), 'completed']]);
  expect(await textsOf(kernel, chat.id)).toEqual(['Work.', 'At last.', 'Good morning.', 'ok']);

  await client.sleep();
  clock.advance(30 * MINUTE);
  const [, asleep] = await become(id, [
    [day('12:30:00'), 'completed'],
    [day('13:00:00'), 'running'],
  ]);
  expect((await client.getSleep()).waiting).toEqual([{ chat_id: chat.id, turn_id: asleep!.turn_id }]);
  await client.wake();
  await become(id, [
    [day('12:30:00'), 'completed'],
    [day('13:00:00'), 'completed'],
  ]);
  await client.sleep();
  clock.advance(30 * MINUTE);
  const outcome = (status: string): [string, string][] => [
    [day('12:30:00'), 'completed'],
    [day('13:00:00'), 'completed'],
    [day('13:30:00'), status],
  ];
  await become(id, outcome('running'));
  await api.post(`/v1/chats/${chat.id}/cancel?queued=true`);
  await become(id, outcome('cancelled'));
});

test('[SCHED-2] records skipped times as missed or catches up after a clock jump, and runs nothing twice', async () => {
  const { api, clock, upstream, add, become } = await scheduled(day('12:00:00'));
  const cron = { cron: '0 * * * *', timezone: 'UTC' };
  const none = await add(cron);
  const last = await add({ ...cron, catch_up: 'last' });
  const events = await api.events();
  clock.advance(3 * HOUR + 10 * MINUTE);
  const passed = ['13:00:00', '14:00:00', '15:00:00'].map(day);
  const missed = await become(
    none.id,
    passed.map(due => [due, 'missed']),
  );
  expect(missed[0]).toEqual({
    due_at: passed[0],
    started_at: null,
    ended_at: day('15:10:00'),
    chat_id: null,
    turn_id: null,
    status: 'missed',
  });
  const made: [string, string][] = [
    [passed[0]!, 'missed'],
    [passed[1]!, 'missed'],
    [passed[2]!, 'completed'],
  ];
  await become(last.id, made);
  const told = await events.until(event => event.type === 'schedule_ended' && event.schedule_id === none.id);
  expect(told).toMatchObject({ due_at: passed[2], status: 'missed', chat_id: null, turn_id: null });
  events.hangUp();
  // Up to a minute late counts as on time.
  clock.advance(50 * MINUTE + MINUTE);
  const late: [string, string] = [day('16:00:00'), 'completed'];
  await become(none.id, [...passed.map((due): [string, string] => [due, 'missed']), late]);
  await become(last.id, [...made, late]);

  clock.advance(-2 * HOUR);
  expect((await api.patch(`/v1/schedules/${none.id}`, { enabled: false })).body.next_at).toBeNull();
  // Enabled again, it waits for times that already have their rows.
  expect((await api.patch(`/v1/schedules/${none.id}`, { enabled: true })).body.next_at).toBe(passed[2]);
  const asked = upstream.requests.length;
  clock.advance(2 * HOUR);
  const next = async () => {
    clock.advance(0);
    return (await api.get('/v1/schedules')).body.schedules.map(({ next_at }: { next_at: string }) => next_at);
  };
  await expect.poll(next, { timeout: 20_000 }).toEqual([day('17:00:00'), day('17:00:00')]);
  await become(none.id, [...passed.map((due): [string, string] => [due, 'missed']), late]);
  await become(last.id, [...made, late]);
  expect(upstream.requests).toHaveLength(asked);
});

test('[SCHED-2] records a row for each of very many missed times, and sends one notification', async () => {
  const { api, clock, add } = await scheduled(day('12:00:00'));
  const { id } = await add({ cron: '* * * * *', timezone: 'UTC' });
  const events = await api.events();
  clock.advance(8 * HOUR + 30_000);
  await events.until(({ type }) => type === 'schedule_ended');
  const count = async () => (await api.get(`/v1/schedules/${id}/runs?limit=500`)).body.runs.length;
  await expect.poll(count, { timeout: 20_000 }).toBe(480);
  const page = (await api.get(`/v1/schedules/${id}/runs?limit=2`)).body;
  expect(page.next_before).toBe(day('19:59:00'));
  const older = await api.get(`/v1/schedules/${id}/runs?limit=1&before=${page.next_before}`);
  expect(older.body.runs).toMatchObject([{ due_at: day('19:58:00'), status: 'missed' }]);
  const told = events.events.filter(({ type }) => type === 'schedule_ended');
  expect(told.filter(event => 'status' in event && event.status === 'missed')).toHaveLength(1);
  events.hangUp();
});

test('[SCHED-2] [PUSH-2] records a failed run after a provider error, and notifies the user', async () => {
  const { api, clock, upstream, add, become } = await scheduled(day('12:00:00'), {
    settings: { push: { allow_private: true } },
  });
  const service = await startPushService();
  const browser = service.browser();
  await api.put('/v1/push/subscriptions', { ...browser.subscription });
  const { id } = await add({ at: day('12:10:00'), title: 'Report' });
  upstream.next({ error: 'unauthorized' });
  clock.advance(10 * MINUTE);
  const [run] = await become(id, [[day('12:10:00'), 'failed']]);
  expect(run?.error).toMatchObject({ code: 'upstream_auth' });
  expect((await api.get(`/v1/schedules/${id}`)).body).toMatchObject({ enabled: true, next_at: null });
  await expect.poll(() => browser.words().length, { timeout: 8000 }).toBe(1);
  expect(browser.words()).toMatchObject([
    {
      type: 'schedule_ended',
      chat_id: run?.chat_id,
      title: 'Report',
      text: expect.stringMatching(/^Failed: /),
    },
  ]);
});
