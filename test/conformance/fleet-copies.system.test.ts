/**
 * Tests what each kernel of a fleet holds in memory or starts by the clock: memory, schedules, stand-by machines
 * (FLEET-4).
 */
import type { MemoryEntry, ScheduleRun } from '@chat-kernel/protocol';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

afterAll(stopPostgres);

const PATIENT = { timeout: 60_000, interval: 50 };

const textsAt = async (kernel: FleetKernel) =>
  (await kernel.api.get('/v1/memory')).body.entries.map(({ text }: MemoryEntry) => text);
const runsAt = async (kernel: FleetKernel, id: string): Promise<ScheduleRun[]> =>
  (await kernel.api.get(`/v1/schedules/${id}/runs`)).body.runs;
const handsAt = async (kernel: FleetKernel) => (await kernel.api.get('/v1/hands')).body.hands;

test('[FLEET-4] gives models at each kernel the memory changes of any kernel, sends each event once, and keeps deleted entries deleted', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const watcher = await b.api.events();
  await watcher.until('opened');
  const announced = () => watcher.events.filter(({ type }) => type === 'memory_changed').length;
  const { id } = (await a.api.post('/v1/memory', { text: 'Drinks tea.' })).body;
  await expect.poll(() => textsAt(b), PATIENT).toEqual(['Drinks tea.']);
  const chat = await b.api.newChat();
  await b.api.say(chat.id, 'Hello.');
  expect(JSON.stringify(fleet.upstream.requests.at(-1))).toContain('Drinks tea.');

  // Each change applies to the stored state, not to the copy of this kernel.
  await b.api.post('/v1/memory', { text: 'Has a cat.' });
  // One event may announce several simultaneous changes.
  await expect.poll(announced, PATIENT).toBe(2);
  expect((await a.api.patch(`/v1/memory/${id}`, { text: 'Drinks coffee.' })).status).toBe(200);
  await expect.poll(() => textsAt(b), PATIENT).toEqual(['Drinks coffee.', 'Has a cat.']);
  await expect.poll(announced, PATIENT).toBe(3);
  expect((await b.api.delete(`/v1/memory/${id}`)).status).toBe(200);
  await expect.poll(() => textsAt(a), PATIENT).toEqual(['Has a cat.']);
  await a.api.newChat();
  await watcher.until('chat_created');
  expect(announced()).toBe(4);

  // Concurrent changes: the entry stays deleted.
  const outcomes = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const { id } = (await a.api.post('/v1/memory', { text: 'Drinks tea.' })).body;
    const [changing, forgetting] = round % 2 === 0 ? [a, b] : [b, a];
    const [changed, forgotten] = await Promise.all([
      changing.api.patch(`/v1/memory/${id}`, { text: 'Drinks coffee.' }),
      forgetting.api.delete(`/v1/memory/${id}`),
    ]);
    expect(forgotten.status).toBe(200);
    expect([200, 404]).toContain(changed.status);
    outcomes.add(String(changed.status));
    // The only request: each change reads the stored state, as does a kernel that starts.
    await expect
      .poll(async () => [await textsAt(a), await textsAt(b)], PATIENT)
      .toEqual([['Has a cat.'], ['Has a cat.']]);
    expect((await a.api.patch(`/v1/memory/${id}`, { text: 'Drinks tea.' })).status).toBe(404);
  }
  process.stdout.write(`changed first, or forgotten first: ${[...outcomes].join(', ')}\n`);
});

test('[FLEET-3] [FLEET-4] starts a due schedule once, at the kernel of its chat, or at another one if that has crashed', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const chat = await a.api.newChat();
  const at = new Date(Date.now() + 1500).toISOString();
  const make = async (more: object) =>
    (await b.api.post('/v1/schedules', { text: 'Good morning.', ...more })).body.id;
  const [inChat, inNew] = [await make({ at, chat_id: chat.id }), await make({ at })];
  for (const id of [inChat, inNew]) {
    await expect
      .poll(async () => (await runsAt(b, id)).map(({ status }) => status), PATIENT)
      .toEqual(['completed']);
  }
  const [{ chat_id }] = (await runsAt(a, inNew)) as [ScheduleRun];
  const both = (await a.api.get('/v1/chats')).body.chats.map(({ id }: { id: string }) => id);
  expect(both.toSorted()).toEqual([chat.id, chat_id].toSorted());
  // The chat belongs to the kernel that started the run, so the other one forwards its requests.
  const [first, second] = [await a.api.say(chat_id as string, 'Go.'), await b.api.say(chat.id, 'Go.')];
  for (const events of [first, second]) expect(events.at(-1)).toMatchObject({ status: 'completed' });

  const run = await b.api.post(`/v1/schedules/${inChat}/run`);
  expect([run.status, run.headers['x-kernel']]).toEqual([200, a.id]);
  await expect
    .poll(async () => (await runsAt(b, inChat)).map(({ status }) => status), PATIENT)
    .toEqual(['completed', 'completed']);

  const soon = new Date(Date.now() + 2000).toISOString();
  const { id } = (await a.api.post('/v1/schedules', { text: 'Hi.', at: soon, chat_id: chat.id })).body;
  await a.kill();
  await expect
    .poll(async () => (await runsAt(b, id)).map(({ status }) => status), PATIENT)
    .toEqual(['completed']);
});

test('[FLEET-4] offers a connected machine to the chats of each kernel, whichever it connected to', async () => {
  const fleet = await openFleet();
  const settings = { requests: { hands_wait_secs: 2 } };
  const [a, b] = [await fleet.start('left', settings), await fleet.start('right', settings)];
  const name = 'laptop';
  const machine = await StandingBy.open(a.api, name);
  onTestFinished(() => machine.leave());
  machine.findNone().catch(() => {});
  await expect.poll(() => handsAt(b), PATIENT).toMatchObject([{ name, here: true }]);
  const chat = await b.api.newChat();
  await b.api.put(`/v1/chats/${chat.id}/workdir`, { workdir: '/garden', workdir_on: 'client', hands: name });
  fleet.upstream.next(calls('c', 'shell', { commands: ['npm test'] }), says('done'));
  const stream = await b.api.turn(chat.id, { text: 'Go.' });
  const asked = await stream.until('consent_request');
  await a.api.post(`/v1/chats/${chat.id}/ops/result`, {
    id: (asked as { id: string }).id,
    decision: 'allow',
  });
  const operation = await machine.operation('shell');
  expect(operation).toMatchObject({ chat_id: chat.id, command: 'npm test' });
  expect(await machine.answer(operation, { result: { exit_code: 0, output: 'all green' } })).toMatchObject({
    status: 200,
  });
  await stream.closed();
  expect(eventsOf(stream.events, 'tool_result').map(({ output }) => output)).toEqual([
    expect.stringContaining('all green'),
  ]);

  // A kernel that starts later asks which machines are connected, and the machines of a dead kernel disappear.
  const late = await fleet.start('late', settings);
  await expect.poll(() => handsAt(late), PATIENT).toMatchObject([{ name, here: true }]);
  await a.kill();
  for (const kernel of [b, late])
    await expect.poll(() => handsAt(kernel), PATIENT).toMatchObject([{ name, here: false }]);
  const again = await StandingBy.open(late.api, name);
  onTestFinished(() => again.leave());
  await expect.poll(() => handsAt(b), PATIENT).toMatchObject([{ name, here: true }]);
  again.leave();
  await expect.poll(() => handsAt(b), PATIENT).toMatchObject([{ name, here: false }]);
  expect((await b.api.delete(`/v1/hands/id of ${name}`)).status).toBe(200);
  await expect.poll(() => handsAt(late), PATIENT).toEqual([]);
});
