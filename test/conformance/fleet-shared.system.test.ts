/**
 * Tests state that several kernels share: requests, approvals, sleep, subscriptions, and a kernel that drains (FLEET-4,
 * FLEET-6).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryApprovals } from '@chat-kernel/client';
import type { KernelEvent } from '@chat-kernel/protocol';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';

afterAll(stopPostgres);

const PATIENT = { timeout: 60_000, interval: 50 };
const SCAN = { name: 'scan', description: 'Scans a page.', timeout_secs: 600 };

const requestsAt = async (kernel: FleetKernel) => (await kernel.api.get('/v1/requests')).body.requests;
const approvalsAt = async (kernel: FleetKernel) => (await kernel.api.get('/v1/approvals')).body.approvals;
const sleepsIn = (events: readonly KernelEvent[]) => events.filter(({ type }) => type === 'sleep_changed');
const sleepAt = async (kernel: FleetKernel) => (await kernel.api.get('/v1/sleep')).body;

test('[FLEET-4] lists and accepts an answer to any request at each kernel, whichever chat the path names, and ends it for all if its kernel crashed', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const [chat, other] = [await a.api.newChat(), await b.api.newChat()];
  fleet.upstream.next(
    calls('call_1', 'scan', {}),
    says('thanks'),
    calls('call_2', 'scan', {}),
    says('thanks again'),
  );
  for (const [id, path] of [
    ['call_1', chat.id],
    ['call_2', other.id],
  ] as const) {
    const stream = await a.api.turn(chat.id, { text: 'Go.', extra_tools: [SCAN] });
    await stream.until('extra_tool_call');
    await expect
      .poll(() => requestsAt(b), PATIENT)
      .toMatchObject([{ id, chat_id: chat.id, turn_id: stream.turnId }]);
    expect(await requestsAt(a)).toEqual(await requestsAt(b));
    const watcher = await b.api.events();
    await watcher.until('opened');
    const answered = await b.api.post(`/v1/chats/${path}/ops/result`, { id, result: 'scanned' });
    expect(answered).toMatchObject({
      status: 200,
      body: { ok: true, resolution: { id, reason: 'answered' } },
    });
    expect(answered.headers['x-kernel']).toBe(a.id);
    await watcher.until('request_resolved');
    const late = await b.api.post(`/v1/chats/${path}/ops/result`, { id, result: 'again' });
    expect(late).toMatchObject({ status: 409, body: { code: 'already_resolved' } });
    await stream.closed();
    expect(eventsOf(stream.events, 'tool_result')).toMatchObject([{ id, output: 'scanned' }]);
    expect(await requestsAt(b)).toEqual([]);
    watcher.hangUp();
  }
  const nothing = await b.api.post(`/v1/chats/${other.id}/ops/result`, { id: 'none', result: '' });
  expect(nothing).toMatchObject({ status: 404, body: { code: 'unknown_request' } });

  // Another kernel accepts the answer once the request is listed there, before any event of it.
  const database = new pg.Client(fleet.database);
  await database.connect();
  try {
    await database.query('begin; lock table kernel_events in exclusive mode');
    fleet.upstream.next(calls('call_3', 'scan', {}), says('thanks'));
    const early = await a.api.turn(chat.id, { text: 'Go.', extra_tools: [SCAN] });
    await early.until('extra_tool_call');
    await expect.poll(() => requestsAt(b), PATIENT).toMatchObject([{ id: 'call_3' }]);
    const answer = { id: 'call_3', result: 'scanned' };
    expect(await b.api.post(`/v1/chats/${other.id}/ops/result`, answer)).toMatchObject({ status: 200 });
    await early.closed();
    expect(eventsOf(early.events, 'tool_result')).toMatchObject([{ id: 'call_3', output: 'scanned' }]);
  } finally {
    await database.end();
  }

  const watcher = await b.api.events();
  await watcher.until('opened');
  fleet.upstream.next(calls('call_4', 'scan', {}));
  const { turnId: turn_id } = await a.api.turn(chat.id, { text: 'Go.', extra_tools: [SCAN] });
  const lost = { id: 'call_4', turn_id };
  // Events of the request before may come first.
  await watcher.until(event => event.type === 'request_opened' && event.request.turn_id === turn_id);
  await a.kill();
  await expect
    .poll(() => watcher.events.slice(-2), PATIENT)
    .toMatchObject([
      { type: 'request_resolved', ...lost, reason: 'turn_ended' },
      { type: 'turn_ended', turn_id, status: 'failed' },
    ]);
  expect(await requestsAt(b)).toEqual([]);
});

test('[FLEET-4] shares approvals, the push key, sleep and wake between all kernels, and sends each event once', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const directory = directoryOfTest();
  writeFileSync(join(directory, 'a.txt'), 'a');
  const chat = await a.api.newChat({ workdir: directory });
  for (const decision of ['allow_session', 'allow_always'] as const) {
    fleet.upstream.next(calls(decision, 'read_file', { files: [{ path: 'a.txt' }] }), says('read'));
    const record = new MemoryApprovals();
    const terminal = new Terminal(b.client, {
      directory,
      client_id: 'laptop',
      record,
      approve: () => decision,
    });
    await terminal.turn(chat.id, { text: 'Go.' });
    await expect.poll(() => approvalsAt(b), PATIENT).toMatchObject([{ chat_id: chat.id, decision }]);
    expect(await approvalsAt(a)).toEqual(await approvalsAt(b));
    const [{ id }] = await approvalsAt(b);
    expect((await b.api.delete(`/v1/approvals/${id}`)).body).toEqual({ revoked: 1 });
    await expect.poll(() => approvalsAt(a), PATIENT).toEqual([]);
  }
  const keyOf = async (kernel: FleetKernel) => (await kernel.api.get('/v1/push')).body.public_key;
  expect(await keyOf(a)).toMatch(/^[\w-]{87}$/);
  expect(await keyOf(b)).toBe(await keyOf(a));

  const watcher = await a.api.events();
  await watcher.until('opened');
  await b.api.post('/v1/sleep', { reason: 'night' });
  await expect.poll(async () => (await sleepAt(a)).asleep, PATIENT).toBe(true);
  const stream = await a.api.turn(chat.id, { text: 'Later.' });
  await stream.until('sleeping');
  const waiting = [{ chat_id: chat.id, turn_id: stream.turnId }];
  expect(await sleepAt(b)).toMatchObject({ asleep: true, reason: 'night', waiting });
  expect((await b.api.post('/v1/sleep/wake')).body).toEqual({ woken: [stream.turnId] });
  await stream.closed();
  expect(textOf(stream.events)).toBe('ok');
  expect(sleepsIn(watcher.events)).toMatchObject([{ asleep: true }, { asleep: false }]);

  // A sleep that expires ends on each kernel, and one of them announces it.
  await a.api.post('/v1/sleep', { until: new Date(Date.now() + 1500).toISOString() });
  await expect
    .poll(async () => [(await sleepAt(a)).asleep, (await sleepAt(b)).asleep], PATIENT)
    .toEqual([true, true]);
  await expect
    .poll(async () => [(await sleepAt(a)).asleep, (await sleepAt(b)).asleep], PATIENT)
    .toEqual([false, false]);
  await b.api.newChat();
  await watcher.until('chat_created');
  expect(sleepsIn(watcher.events)).toHaveLength(4);
});

test('[FLEET-4] sends turns of a chat to the kernel whose machine it uses, and returns tool errors while that is unreachable', async () => {
  const fleet = await openFleet();
  const [left, right] = [await fleet.start('left'), await fleet.start('right')];
  const workdir = directoryOfTest();
  const chat = await left.api.newChat({ workdir, workdir_on: 'server' });
  expect(chat.home).toBe('left');
  expect((await right.api.newChat()).home).toBeNull();
  const command = calls('c', 'shell', { commands: ['echo here > mark'] });
  await left.kill();
  fleet.upstream.next(command, says('so it is'));
  const events = await right.api.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    {
      output:
        'This chat works on the machine left, which is unreachable. Nothing was done; other tools still work.',
      is_error: true,
    },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(existsSync(join(workdir, 'mark'))).toBe(false);

  // A client that sets it again sets it on the machine of the kernel that has the chat.
  const moved = await right.api.put(`/v1/chats/${chat.id}/workdir`, { workdir, workdir_on: 'server' });
  expect(moved.body.home).toBe('right');
  fleet.upstream.next(command, says('done'));
  await right.api.say(chat.id, 'Go.');
  expect(existsSync(join(workdir, 'mark'))).toBe(true);
  const back = await fleet.start('left');
  expect((await back.api.put(`/v1/chats/${chat.id}/workdir`, { workdir: null })).body.home).toBeNull();
});
