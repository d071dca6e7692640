/** Kernels that fall silent, and answers of the database that get lost: turns go on all the same (FLEET-3). */
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { says, stuck, textOf } from '../harness/story.ts';
import { vanishing } from '../harness/vanishing.ts';

afterAll(stopPostgres);

/** From the moment on in which the machine is gone. */
const TAKEN_OVER_MS = 12_000;

test('[FLEET-3] a machine that vanishes in the midst of a write is found dead, and its chats go on elsewhere within 12 s', async () => {
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

  // The row of the chat is locked by then, in a transaction that its kernel can neither end nor leave.
  const vanished = way.vanishBehind('insert into "messages"');
  void a.api.turn(chat.id, { text: 'three' }).catch(() => {});
  await vanished;
  const gone = performance.now();
  // Whoever has a chat of its own does not notice.
  expect((await b.api.say(other.id, 'hi')).at(-1)).toMatchObject({ status: 'completed' });
  fleet.upstream.next(says('second'));
  await queued.closed();
  const took = performance.now() - gone;
  expect(first.events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  expect(textOf(queued.events)).toBe('second');
  expect(queued.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  process.stdout.write(`a vanished machine's chat had gone on elsewhere after ${Math.round(took)} ms\n`);
  expect(took).toBeLessThan(TAKEN_OVER_MS);
});

test('[FLEET-3] turns of a chat that a kernel has taken without hearing of it go on there', async () => {
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
  // What a kernel writes that takes the chat, and whose answer never comes.
  await session.query('update chats set owner = $1, epoch = epoch + 1 where id = $2', [b.id, chat.id]);
  const statuses = async () =>
    Promise.all(
      [first, queued].map(
        async ({ turnId }) => (await b.api.get(`/v1/chats/${chat.id}/turns/${turnId}`)).body.status,
      ),
    );
  await expect.poll(statuses, { timeout: 60_000, interval: 50 }).toEqual(['failed', 'completed']);
});
