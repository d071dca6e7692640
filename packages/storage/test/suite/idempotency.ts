/** Tests idempotency keys on each database. */
import { expect, test } from 'vitest';
import { newMessage, newTurn, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

const HOUR = 60 * 60 * 1000;
const LONG_AGO = '2000-01-01T00:00:00.000Z';

export function idempotencySuite(stage: Stage): void {
  test('finds the turn that a key started, in its own chat [TURN-12]', async () => {
    const chat = await stage.chat();
    const other = await stage.chat();
    const turn = await start(stage, chat.id, 'key', 'print');
    expect(await stage.store.turns.findByKey(chat.id, 'key', LONG_AGO)).toEqual({
      turn,
      fingerprint: 'print',
    });
    expect(await stage.store.turns.findByKey(chat.id, 'no key', LONG_AGO)).toBeUndefined();
    expect(await stage.store.turns.findByKey(other.id, 'key', LONG_AGO)).toBeUndefined();
    const elsewhere = await start(stage, other.id, 'key', 'print');
    expect((await stage.store.turns.findByKey(other.id, 'key', LONG_AGO))?.turn).toEqual(elsewhere);
  });

  test('counts a key from the time of the caller', async () => {
    const chat = await stage.chat();
    const { created_at } = await start(stage, chat.id, 'key', 'print');
    expect(await stage.store.turns.findByKey(chat.id, 'key', created_at)).toBeDefined();
    expect(await stage.store.turns.findByKey(chat.id, 'key', at(stage, 1))).toBeUndefined();
  });

  test('rejects one of two starts with one key completely, concurrent or consecutive [TURN-12]', async () => {
    const chat = await stage.chat();
    const starts = await Promise.allSettled([
      start(stage, chat.id, 'key', 'print'),
      start(stage, chat.id, 'key', 'print'),
    ]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(start(stage, chat.id, 'key', 'print')).rejects.toThrow(/already started a turn/);
    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toHaveLength(1);
    expect((await stage.store.chats.count()).turns.running).toBe(1);
  });

  test('accepts a key for another turn after 24 hours, even before its cleanup', async () => {
    const chat = await stage.chat();
    await start(stage, chat.id, 'key', 'first');
    stage.clock.time += 24 * HOUR;
    await expect(start(stage, chat.id, 'key', 'second')).rejects.toThrow();
    stage.clock.time += 1;
    const turn = await start(stage, chat.id, 'key', 'second');
    expect(await stage.store.turns.findByKey(chat.id, 'key', LONG_AGO)).toEqual({
      turn,
      fingerprint: 'second',
    });
  });

  test('removes keys older than 24 hours at the start', async () => {
    const chat = await stage.chat();
    await start(stage, chat.id, 'old', 'print');
    stage.clock.time += 24 * HOUR;
    await start(stage, chat.id, 'young', 'print');
    stage.clock.time += 1;
    await stage.reopen();
    expect(await stage.store.turns.findByKey(chat.id, 'old', LONG_AGO)).toBeUndefined();
    expect(await stage.store.turns.findByKey(chat.id, 'young', LONG_AGO)).toBeDefined();
  });

  test('removes keys older than 24 hours while the store is open', async () => {
    const chat = await stage.chat();
    await start(stage, chat.id, 'old', 'print');
    stage.clock.pass(25 * HOUR);
    await expect.poll(() => stage.store.turns.findByKey(chat.id, 'old', LONG_AGO)).toBeUndefined();
  });
}

async function start(stage: Stage, chat_id: string, key: string, fingerprint: string) {
  const message = newMessage(chat_id, { turn_id: nextId() });
  const turn = newTurn(message, { created_at: at(stage, 0) });
  const idempotency = { key, fingerprint, created_at: turn.created_at };
  await stage.store.turns.create(turn, message, { place: true, idempotency });
  return turn;
}

const at = (stage: Stage, ms: number) => new Date(stage.clock.now() + ms).toISOString();
