/** Tests kernels that fall silent and lost responses of the database: turns still continue (FLEET-3). */
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startCutProxy } from '../harness/cut-proxy.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { calls, held, says, stuck, textOf } from '../harness/story.ts';
import { vanishing } from '../harness/vanishing.ts';

afterAll(stopPostgres);

const QUESTION = { question: 'Tea?', options: [{ label: 'Yes' }, { label: 'No' }] };
/** Measured from the moment at which the machine vanishes. */
const TAKEN_OVER_MS = 12_000;
/** After a kill, with some margin for a loaded machine. */
const KILLED_MS = 4000;

/** A session of the database, and the events of a type that kernels have reported. */
async function eventsOf(database: string) {
  const session = new pg.Client(database);
  await session.connect();
  onTestFinished(() => session.end());
  const reported = async (type: string) => {
    const { rows } = await session.query('select kernel, json from kernel_events where told = 1 order by n');
    return rows
      .map(({ kernel, json }) => ({ kernel, event: JSON.parse(json) }))
      .filter(({ event }) => event.type === type);
  };
  return { session, reported };
}

/** Two kernels; the first reaches the database through a proxy that can be cut. */
async function fleetWithCut() {
  const fleet = await openFleet();
  const target = new URL(fleet.database);
  const way = await startCutProxy(`http://127.0.0.1:${target.port}`);
  onTestFinished(() => way.close());
  target.port = new URL(way.url).port;
  const a = await fleet.start('a', {}, { database: target.href });
  const b = await fleet.start('b');
  return { fleet, way, a, b };
}

test('[FLEET-3] declares a machine dead that vanishes during a write, and continues its chats elsewhere within 12 s', async () => {
  const fleet = await openFleet();
  const way = await vanishing(fleet.database);
  const a = await fleet.start('a', {}, { database: way.url });
  const b = await fleet.start('b');
  const [chat, other] = [await a.api.newChat(), await b.api.newChat()];
  fleet.upstream.next(stuck({ text: 'told' }));
  const first = await b.api.turn(chat.id, { text: 'one' });
  await first.until(({ type }) => type === 'text_delta');
  expect(first.headers['x-kernel']).toBe(a.id);
  const queued = await b.api.turn(chat.id, { text: 'two' });
  await queued.until(({ type }) => type === 'queued');

  // By then the row of the chat is locked, in a transaction that its kernel can neither commit nor abort.
  const vanished = way.vanishBehind('insert into "messages"');
  void a.api.turn(chat.id, { text: 'three' }).catch(() => {});
  await vanished;
  const gone = performance.now();
  // A user of another chat does not notice.
  expect((await b.api.say(other.id, 'hi')).at(-1)).toMatchObject({ status: 'completed' });
  fleet.upstream.next(says('second'));
  await queued.closed();
  const took = performance.now() - gone;
  await first.closed();
  expect(first.events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  expect(textOf(queued.events)).toBe('second');
  expect(queued.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  process.stdout.write(`a vanished machine's chat had gone on elsewhere after ${Math.round(took)} ms\n`);
  expect(took).toBeLessThan(TAKEN_OVER_MS);
});

test('[FLEET-3] continues the turns of a chat at a kernel that took it over without receiving the notification', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const chat = await a.api.newChat();
  fleet.upstream.next(stuck({ text: 'told' }), says('second'));
  const first = await a.api.turn(chat.id, { text: 'one' });
  await first.until(({ type }) => type === 'text_delta');
  const queued = await a.api.turn(chat.id, { text: 'two' });
  await queued.until(({ type }) => type === 'queued');
  const session = new pg.Client(fleet.database);
  await session.connect();
  onTestFinished(() => session.end());
  await a.kill();
  // The write of a kernel that takes the chat, and whose response never arrives.
  await session.query('update chats set owner = $1, epoch = epoch + 1 where id = $2', [b.id, chat.id]);
  const statuses = async () =>
    Promise.all(
      [first, queued].map(
        async ({ turnId }) => (await b.api.get(`/v1/chats/${chat.id}/turns/${turnId}`)).body.status,
      ),
    );
  await expect.poll(statuses, { timeout: 60_000, interval: 50 }).toEqual(['failed', 'completed']);
});

test('[FLEET-2] [EV-13] reports nothing about a turn after the kernel lost its chat', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const chat = await a.api.newChat();
  fleet.upstream.next(calls('ask', 'ask_questions', { questions: [QUESTION] }));
  const turn = await a.api.turn(chat.id, { text: 'Go.', questions: true });
  await turn.until(({ type }) => type === 'tool_call');
  await expect.poll(async () => (await b.api.get('/v1/requests')).body.requests.length).toBe(1);
  const { reported, session } = await eventsOf(fleet.database);
  // Do what other kernels do when they replace a silent kernel.
  await session.query('begin');
  await session.query('delete from kernels where id = $1', [a.id]);
  await session.query('update chats set owner = $1, epoch = epoch + 1 where id = $2', [b.id, chat.id]);
  await session.query('commit');
  const workedAt = async () => {
    const answer = await a.api.patch(`/v1/chats/${chat.id}`, { title: 'Taken' });
    return answer.headers['x-kernel'];
  };
  await expect.poll(workedAt, { timeout: 20_000, interval: 50 }).toBe(b.id);
  await turn.closed();
  // The events of a kernel arrive in order: all its events about the turn precede this one.
  const later = await a.api.newChat();
  await expect
    .poll(async () => (await reported('chat_created')).some(({ event }) => event.chat.id === later.id), {
      timeout: 20_000,
    })
    .toBe(true);
  const ended = [...(await reported('request_resolved')), ...(await reported('turn_ended'))];
  expect(ended.filter(({ kernel }) => kernel === a.id)).toEqual([]);
});

test('[FLEET-3] [EV-13] closes the requests of a kernel that loses a chat and takes it again', async () => {
  const fleet = await openFleet();
  const a = await fleet.start();
  const chat = await a.api.newChat();
  fleet.upstream.next(calls('ask', 'ask_questions', { questions: [QUESTION] }));
  const turn = await a.api.turn(chat.id, { text: 'Go.', questions: true });
  const { reported, session } = await eventsOf(fleet.database);
  await expect.poll(async () => (await reported('request_opened')).length, { timeout: 20_000 }).toBe(1);
  await session.query('begin');
  await session.query('delete from kernels where id = $1', [a.id]);
  await session.query('update chats set owner = null, epoch = epoch + 1 where id = $1', [chat.id]);
  await session.query('commit');
  await expect.poll(async () => (await reported('turn_ended')).length, { timeout: 20_000 }).toBe(1);
  expect(await reported('request_resolved')).toMatchObject([{ event: { id: 'ask', reason: 'turn_ended' } }]);
  await turn.closed();
});

test('[FLEET-2] [FLEET-3] [EV-13] a suspended and resumed kernel writes and reports nothing about turns that another kernel has ended', async () => {
  const fleet = await openFleet();
  // Passes while the kernel is stopped.
  const settings = { requests: { question_timeout_secs: 4 } };
  const [a, b] = [await fleet.start('a', settings), await fleet.start('b', settings)];
  const chat = await a.api.newChat();
  fleet.upstream.next(calls('ask', 'ask_questions', { questions: [QUESTION] }));
  const turn = await b.api.turn(chat.id, { text: 'Go.', questions: true });
  await turn.until(({ type }) => type === 'tool_call');
  expect(turn.headers['x-kernel']).toBe(a.id);
  const writing = await a.api.newChat();
  const late = held({ text: ' and this came too late' });
  fleet.upstream.next({ steps: [{ text: 'told' }, ...(late.reply.steps ?? [])] }, says('the new owner'));
  const first = await b.api.turn(writing.id, { text: 'one' });
  await first.until(({ type }) => type === 'text_delta');
  const direct = await a.api.live(writing.id);
  await direct.until(({ type }) => type === 'text_delta');

  process.kill(a.pid, 'SIGSTOP');
  for (const stream of [turn, first]) {
    await stream.closed();
    expect(stream.events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  }
  expect(textOf(await b.api.say(writing.id, 'two'))).toBe('the new owner');
  const itemsAt = async ({ api }: FleetKernel) => (await api.get(`/v1/chats/${writing.id}/items`)).body.items;
  const before = await itemsAt(b);
  late.go();
  process.kill(a.pid, 'SIGCONT');
  // Its own viewers get no further events; their streams end.
  await direct.closed();
  expect(direct.events.filter(({ type }) => type === 'done' || type === 'error')).toEqual([]);
  const kernels = async () => (await a.api.get('/v1/kernels')).body.kernels.length;
  await expect.poll(kernels, { timeout: 60_000, interval: 50 }).toBe(2);
  expect(await itemsAt(a)).toEqual(before);
  const again = await a.api.turn(writing.id, { text: 'three' });
  await again.closed();
  expect(again.headers['x-kernel']).toBe(b.id);

  // The events of a kernel arrive in order: all its events about the turn precede this one.
  const later = await a.api.newChat();
  const { reported } = await eventsOf(fleet.database);
  await expect
    .poll(async () => (await reported('chat_created')).some(({ event }) => event.chat.id === later.id), {
      timeout: 20_000,
    })
    .toBe(true);
  await expect
    .poll(() => reported('request_resolved'))
    .toMatchObject([{ kernel: b.id, event: { chat_id: chat.id, reason: 'turn_ended' } }]);
});

test('[FLEET-3] keeps its turns during a loss of the database if it answers the other kernels, and is replaced within 2 s if it is then killed', async () => {
  const { fleet, way, a, b } = await fleetWithCut();
  const chat = await a.api.newChat();
  const answer = held({ text: ' and more' });
  fleet.upstream.next({ steps: [{ text: 'first' }, ...(answer.reply.steps ?? [])] });
  const turn = await a.api.turn(chat.id, { text: 'one' });
  await turn.until(({ type }) => type === 'text_delta');
  way.cut();
  // Longer than the 200 ms and the 1.5 s after which a kernel without a lock is suspected.
  await new Promise(resolve => setTimeout(resolve, 2500));
  way.restore();
  const ready = async () => (await a.api.get('/readyz')).status;
  await expect.poll(ready, { timeout: 30_000, interval: 50 }).toBe(200);
  answer.go();
  await turn.closed();
  expect(textOf(turn.events)).toBe('first and more');
  expect(turn.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect((await b.api.get(`/v1/chats/${chat.id}/turns/${turn.turnId}`)).body.status).toBe('completed');
  expect(b.log()).not.toContain('kernels have stopped');

  fleet.upstream.next(stuck({ text: 'first' }), says('second'));
  const first = await a.api.turn(chat.id, { text: 'one' });
  await first.until(({ type }) => type === 'text_delta');
  const queued = await b.api.turn(chat.id, { text: 'two' });
  await queued.until(({ type }) => type === 'queued');
  way.cut();
  await new Promise(resolve => setTimeout(resolve, 700));
  expect(b.log()).not.toContain('kernels have stopped');
  const killed = performance.now();
  await a.kill();
  await queued.closed();
  expect(textOf(queued.events)).toBe('second');
  expect(performance.now() - killed).toBeLessThan(KILLED_MS);
});
