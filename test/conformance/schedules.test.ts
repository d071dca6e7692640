/** Tests schedules of users: their fields, refused values, spend limits, and their chats. */
import { expect, test } from 'vitest';
import { scheduled } from '../harness/schedules.ts';
import { at, PLAN, settingsWith } from '../harness/spending.ts';
import { says } from '../harness/story.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NOBODY = '00000000-0000-7000-8000-000000000000';

test('[SCHED-1] creates, reads, changes and deletes a schedule, and sends each change to the stream of all chats', async () => {
  const { api } = await scheduled(NOW);
  const events = await api.events();
  const made = await api.post('/v1/schedules', {
    text: 'What is on today?',
    cron: '0 7 * * MON-FRI',
    timezone: 'Europe/Berlin',
  });
  const schedule = {
    id: ID,
    text: 'What is on today?',
    cron: '0 7 * * MON-FRI',
    at: null,
    timezone: 'Europe/Berlin',
    chat_id: null,
    title: null,
    model: null,
    effort: null,
    catch_up: 'none',
    max_cost_usd: null,
    grants: [],
    enabled: true,
    problem: null,
    created_at: NOW,
    next_at: '2026-03-11T06:00:00.000Z',
    last: null,
  };
  expect([made.status, made.body]).toEqual([201, schedule]);
  const { id } = made.body;
  const url = `/v1/schedules/${id}`;
  expect((await api.get(url)).body).toEqual(made.body);
  expect((await api.get('/v1/schedules')).body).toEqual({ schedules: [made.body] });
  expect((await api.get(`${url}/runs`)).body).toEqual({ runs: [], next_before: null });

  const patched = await api.patch(url, { at: '2026-03-11T09:00:00.500+01:00', title: 'Once', effort: 'low' });
  const once = {
    ...made.body,
    cron: null,
    at: '2026-03-11T08:00:00.500Z',
    next_at: '2026-03-11T08:00:00.500Z',
    title: 'Once',
    effort: 'low',
  };
  expect([patched.status, patched.body]).toEqual([200, once]);
  const off = await api.patch(url, { enabled: false });
  expect(off.body).toEqual({ ...once, enabled: false, next_at: null });
  expect((await api.patch(url, { enabled: true, cron: '30 * * * *' })).body).toEqual({
    ...once,
    at: null,
    cron: '30 * * * *',
    next_at: '2026-03-10T12:30:00.000Z',
  });
  expect((await api.delete(url)).body).toEqual({ deleted: true, id });
  for (const gone of [await api.get(url), await api.delete(url), await api.get(`${url}/runs`)])
    expect([gone.status, gone.body.code]).toEqual([404, 'not_found']);
  expect((await api.post(`${url}/run`)).body.code).toBe('not_found');
  const told = () => events.events.filter(({ type }) => type === 'schedule_changed');
  await expect.poll(told).toEqual(Array(5).fill({ type: 'schedule_changed', schedule_id: id }));
  events.hangUp();
});

test('[SCHED-1] rejects an invalid value with a pointer to it', async () => {
  const { api, add } = await scheduled(NOW);
  const refused = async (body: object) => {
    const answer = await api.post('/v1/schedules', { text: 'Hello.', ...body });
    return [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer, answer.body.detail];
  };
  const bad = (pointer: string, detail: string) => [400, 'invalid_value', pointer, detail];
  expect(await refused({ cron: '0 25 * * *' })).toEqual(
    bad('/cron', 'cron: the field hour has the invalid value "25".'),
  );
  expect(await refused({ cron: '0 9 * * NOON' })).toEqual(
    bad('/cron', 'cron: the field weekday has the invalid value "NOON".'),
  );
  expect(await refused({ cron: '* * *' })).toEqual(
    bad('/cron', 'cron: expected five fields (minute, hour, day of the month, month, weekday), got 3.'),
  );
  expect(await refused({ cron: '0 * * * * *' })).toEqual(bad('/cron', expect.stringContaining('got 6')));
  expect(await refused({ cron: '@daily' })).toEqual(bad('/cron', expect.stringContaining('five fields')));
  expect(await refused({ cron: '0 0 30 2 *' })).toEqual(bad('/cron', 'cron: no date matches these fields.'));
  expect(await refused({})).toEqual(bad('/cron', 'cron: expected one of cron and at.'));
  const both = { cron: '* * * * *', at: '2030-01-01T00:00:00Z' };
  expect(await refused(both)).toEqual(bad('/cron', 'cron: expected one of cron and at.'));
  expect(await refused({ at: NOW })).toEqual(bad('/at', 'at: this time is in the past.'));
  expect(await refused({ cron: '* * * * *', timezone: 'Mars/Olympus' })).toEqual(
    bad('/timezone', expect.stringContaining('"Mars/Olympus"')),
  );
  expect(await refused({ cron: '* * * * *', chat_id: NOBODY })).toEqual(
    bad('/chat_id', `There is no chat ${NOBODY}.`),
  );
  expect((await refused({ cron: '* * * * *', model: 'no/such' })).slice(0, 3)).toEqual([
    400,
    'unknown_model',
    '/model',
  ]);
  expect((await refused({ at: 'tomorrow' }))[0]).toBe(422);
  expect((await refused({ at: '9999-12-31T23:00:00-12:00' }))[0]).toBe(422);
  expect((await refused({ cron: '* * * * *', text: '  ' }))[0]).toBe(422);

  const { id } = await add({ cron: '0 9 * * *' });
  const patch = await api.patch(`/v1/schedules/${id}`, { cron: '0 9 * *' });
  expect([patch.status, patch.body.errors[0].pointer]).toEqual([400, '/cron']);
  expect((await api.get(`/v1/schedules/${id}`)).body.cron).toBe('0 9 * * *');
  expect((await api.get(`/v1/schedules/${id}/runs?before=x`)).body.code).toBe('malformed_cursor');
});

test('[SCHED-1] [SCHED-2] keeps the milliseconds of a time and never runs before it', async () => {
  const { api, upstream, clock, add, runs, become } = await scheduled(NOW);
  upstream.next(says('Good morning.'));
  // Finer than a millisecond: rounded up.
  const schedule = await add({ at: '2026-03-10T13:00:01.2990001+01:00' });
  expect([schedule.at, schedule.next_at]).toEqual(Array(2).fill('2026-03-10T12:00:01.300Z'));
  clock.advance(1299);
  // A manual run at this moment is a separate run.
  upstream.next(says('By hand.'));
  await api.post(`/v1/schedules/${schedule.id}/run`);
  const byHand = '2026-03-10T12:00:01.299Z';
  await become(schedule.id, [[byHand, 'completed']]);
  expect((await api.get(`/v1/schedules/${schedule.id}`)).body.next_at).toBe(schedule.at);
  clock.advance(1);
  await become(schedule.id, [
    [byHand, 'completed'],
    ['2026-03-10T12:00:01.300Z', 'completed'],
  ]);
  expect((await runs(schedule.id)).at(-1)?.started_at).toBe('2026-03-10T12:00:01.300Z');
  // The cursor may use another time zone, like any time in a request.
  const older = await api.get(
    `/v1/schedules/${schedule.id}/runs?before=${encodeURIComponent('2026-03-10T13:00:01.3+01:00')}`,
  );
  expect(older.body.runs.map(({ due_at }: { due_at: string }) => due_at)).toEqual([byHand]);
});

test('[SCHED-1] [SCHED-2] creates the chat with its title for a manual run, also for a disabled schedule', async () => {
  const { api, upstream, add, become } = await scheduled(NOW);
  upstream.next(says('Hello back.'));
  const schedule = await add({ cron: '0 9 * * *', title: 'By hand', enabled: false });
  const run = await api.post(`/v1/schedules/${schedule.id}/run`);
  expect([run.status, run.body]).toEqual([200, { turn_id: ID, chat_id: ID }]);
  const due = '2026-03-10T12:00:00.001Z';
  const [row] = await become(schedule.id, [[due, 'completed']]);
  expect(row).toEqual({ due_at: due, started_at: NOW, ended_at: NOW, ...run.body, status: 'completed' });
  const { chat_id, turn_id } = run.body;
  expect((await api.get(`/v1/chats/${chat_id}`)).body).toMatchObject({ title: 'By hand', turn: null });
  expect((await api.get(`/v1/chats/${chat_id}/items`)).body.items).toMatchObject([
    { kind: 'user_message', text: 'Good morning.', turn_id },
    { kind: 'agent_message', text: 'Hello back.' },
  ]);
  const { next_at, last } = (await api.get(`/v1/schedules/${schedule.id}`)).body;
  expect({ next_at, last }).toEqual({ next_at: null, last: { due_at: due, status: 'completed', turn_id } });
  // The user may be absent: no questions, no machine.
  const asked = JSON.stringify(upstream.requests[0]?.body);
  expect(asked).toContain('by a schedule of the user');
  for (const tool of ['ask_questions', 'schedule', 'shell', 'write_file'])
    expect(asked).not.toContain(`"name":"${tool}"`);
});

test('[SCHED-1] disables a schedule with a reason when its chat is deleted, and keeps the outcomes of its runs', async () => {
  const { api, add, become } = await scheduled(NOW);
  const chat = await api.newChat();
  const { id } = await add({ cron: '0 9 * * *', chat_id: chat.id });
  const { body } = await api.post(`/v1/schedules/${id}/run`);
  const runs = await become(id, [['2026-03-10T12:00:00.001Z', 'completed']]);
  const events = await api.events();
  await api.delete(`/v1/chats/${chat.id}`);
  await events.until(({ type }) => type === 'schedule_changed');
  events.hangUp();
  const url = `/v1/schedules/${id}`;
  expect((await api.get(url)).body).toMatchObject({
    enabled: false,
    problem: 'Its chat was deleted.',
    next_at: null,
    last: { status: 'completed', turn_id: body.turn_id },
  });
  expect((await api.get(`${url}/runs`)).body.runs).toEqual(runs);
  expect((await api.post(`${url}/run`)).status).toBe(404);
  const again = await api.patch(url, { enabled: true });
  expect([again.status, again.body.errors[0].pointer]).toEqual([400, '/chat_id']);
  expect((await api.patch(url, { enabled: true, chat_id: null })).body).toMatchObject({
    enabled: true,
    problem: null,
    next_at: '2026-03-11T09:00:00.000Z',
  });
});

test('[SCHED-1] fails a run that has spent its limit, and one without a price', async () => {
  const { api, upstream, add, become } = await scheduled(NOW, { settings: settingsWith({}) ?? {} });
  const { id } = await add({ cron: '0 9 * * *', timezone: 'UTC', max_cost_usd: 0.02 });
  const before = upstream.requests.length;
  upstream.next(at(0.03, PLAN), at(0.01, says('Too late.')));
  await api.post(`/v1/schedules/${id}/run`);
  const [run] = await become(id, [['2026-03-10T12:00:00.001Z', 'failed']]);
  expect(run?.error).toEqual({
    code: 'spend_cap',
    message: expect.stringContaining('(max_cost_usd of its schedule)'),
    retryable: false,
  });
  expect(upstream.requests).toHaveLength(before + 1);
  const unpriced = await add({ cron: '0 9 * * *', model: 'scripted/unpriced', max_cost_usd: 1 });
  await api.post(`/v1/schedules/${unpriced.id}/run`);
  const [other] = await become(unpriced.id, [['2026-03-10T12:00:00.001Z', 'failed']]);
  expect(other?.error).toMatchObject({ code: 'spend_cap', message: expect.stringContaining('has no price') });
});
