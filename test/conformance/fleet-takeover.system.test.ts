/** Tests takeovers that coincide with other events: every open turn is continued or closed (FLEET-2, FLEET-3). */
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { PATIENT } from '../harness/patient.ts';
import { held, says, stuck, textOf } from '../harness/story.ts';

afterAll(stopPostgres);

async function sessionOn(database: string): Promise<pg.Client> {
  const session = new pg.Client(database);
  await session.connect();
  onTestFinished(() => session.end());
  return session;
}

const shown = async ({ api }: FleetKernel, chat: string) => (await api.get(`/v1/chats/${chat}`)).body.turn;
const ids = async ({ api }: FleetKernel) =>
  (await api.get('/v1/kernels')).body.kernels.map(({ id }: FleetKernel) => id);
const statusOf = async ({ api }: FleetKernel, chat: string, turn: string) =>
  (await api.get(`/v1/chats/${chat}/turns/${turn}`)).body.status;

test(
  '[FLEET-2] a kernel that others declared dead learns of later takeovers long after its return',
  PATIENT,
  async () => {
    const fleet = await openFleet();
    const [a, b] = [await fleet.start(), await fleet.start()];
    const chat = await a.api.newChat();
    await a.api.say(chat.id, 'one');
    const session = await sessionOn(fleet.database);
    const seenAt = async () =>
      Number(
        (await session.query('select seen_at from kernels where id = $1', [a.id])).rows[0]?.seen_at ?? 0,
      );
    await session.query('delete from kernels where id = $1', [a.id]);
    await expect.poll(seenAt, PATIENT).toBeGreaterThan(0);
    const back = await seenAt();
    // It has sent two heartbeats since then.
    await expect.poll(seenAt, PATIENT).toBeGreaterThanOrEqual(back + 2000);
    // The write of a kernel that has waited for the row of the chat since before that.
    await session.query('update chats set owner = $1, epoch = epoch + 1 where id = $2', [b.id, chat.id]);
    const [first, second] = [held({ text: 'first' }), held({ text: 'second' })];
    fleet.upstream.next(first.reply, second.reply);
    const running = await b.api.turn(chat.id, { text: 'two' });
    const queued = await b.api.turn(chat.id, { text: 'three' });
    await expect
      .poll(() => shown(a, chat.id), PATIENT)
      .toEqual({ id: running.turnId, status: 'running', waiting_for: null });
    first.go();
    await expect
      .poll(() => shown(a, chat.id), PATIENT)
      .toEqual({ id: queued.turnId, status: 'running', waiting_for: null });
    second.go();
    await queued.closed();
    await expect.poll(() => shown(a, chat.id), PATIENT).toBeNull();
  },
);

test(
  '[FLEET-3] a draining kernel takes over no chat of a crashed one, and the next kernel continues the queue',
  PATIENT,
  async () => {
    const fleet = await openFleet();
    const [a, b] = [await fleet.start(), await fleet.start()];
    const [own, chat] = [await a.api.newChat(), await b.api.newChat()];
    fleet.upstream.next(stuck({ text: 'busy' }), stuck({ text: 'first' }));
    await (await a.api.turn(own.id, { text: 'hi' })).until(({ type }) => type === 'text_delta');
    const first = await b.api.turn(chat.id, { text: 'one' });
    await first.until(({ type }) => type === 'text_delta');
    const queued = await b.api.turn(chat.id, { text: 'two' });
    await queued.until(({ type }) => type === 'queued');

    const stopping = a.stop();
    await expect.poll(async () => (await a.api.get('/readyz')).status, PATIENT).toBe(503);
    await b.kill();
    await expect.poll(() => ids(a), PATIENT).toEqual([a.id]);
    const { status, body } = await a.api.get(`/v1/chats/${chat.id}/live`);
    expect([status, body.code]).toEqual([503, 'kernel_away']);
    const session = await sessionOn(fleet.database);
    const { rows } = await session.query('select owner from chats where id = $1', [chat.id]);
    expect(rows).toEqual([{ owner: b.id }]);

    fleet.upstream.next(says('second'));
    const c = await fleet.start();
    await expect.poll(() => statusOf(c, chat.id, queued.turnId), PATIENT).toBe('completed');
    expect(await statusOf(c, chat.id, first.turnId)).toBe('failed');
    await a.kill();
    await stopping;
  },
);

test(
  '[FLEET-3] takes over many chats of a crashed kernel in parallel, each once, also if one cannot be continued',
  PATIENT,
  async () => {
    const fleet = await openFleet();
    const [a, b, c] = [await fleet.start(), await fleet.start(), await fleet.start()];
    const chats = await Promise.all(Array.from({ length: 10 }, () => a.api.newChat()));
    fleet.upstream.next(...chats.map(() => stuck({ text: 'first' })));
    const running = await Promise.all(chats.map(({ id }) => b.api.turn(id, { text: 'one' })));
    await Promise.all(running.map(stream => stream.until(({ type }) => type === 'text_delta')));
    const queued = await Promise.all(chats.map(({ id }) => c.api.turn(id, { text: 'two' })));
    await Promise.all(queued.map(stream => stream.until(({ type }) => type === 'queued')));
    // If the column did not parse, a safe value would replace it.
    const broken = await a.api.newChat();
    fleet.upstream.next(stuck({ text: 'first' }));
    await (await a.api.turn(broken.id, { text: 'one' })).until(({ type }) => type === 'text_delta');
    const never = await a.api.turn(broken.id, { text: 'two' });
    await never.until(({ type }) => type === 'queued');
    const session = await sessionOn(fleet.database);
    await session.query("update turns set parameters = 'null' where id = $1", [never.turnId]);
    fleet.upstream.next(...chats.map(() => says('second')));
    await a.kill();
    await Promise.all([...running, ...queued].map(stream => stream.closed()));
    for (const { events } of running)
      expect(events.slice(-2)).toMatchObject([
        { type: 'error', code: 'kernel_restarted' },
        { type: 'done', status: 'failed' },
      ]);
    expect(queued.map(({ events }) => textOf(events))).toEqual(chats.map(() => 'second'));
    for (const { id } of chats) {
      expect(await shown(b, id)).toBeNull();
      const { items } = (await b.api.get(`/v1/chats/${id}/items`)).body;
      const told = items.map((item: { text?: string; note?: string }) => item.text ?? item.note);
      expect([told[0], told.at(-1)]).toEqual(['one', 'second']);
    }
    expect(await ids(b)).toEqual([b.id, c.id]);
    expect(b.log() + c.log()).toContain('resuming a chat that was taken over failed');
  },
);
