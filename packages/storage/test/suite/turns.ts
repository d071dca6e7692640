/** Tests turns and the writes that carry them, on each database. */
import type { TurnRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NO_USAGE, newMessage, newSpend, newTurn, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function turnSuite(stage: Stage): void {
  test('reads a turn back with every field unchanged', async () => {
    const chat = await stage.chat();
    const message = newMessage(chat.id, { turn_id: nextId() });
    const turn: TurnRecord = {
      ...newTurn(message),
      model: 'maker/model',
      effort: { value: 'high', source: 'ultrathink', raised: true },
      usage: { ...NO_USAGE, prompt_tokens: 7, cost_usd: 0.125 },
      stop_reason: 'stop',
      error: { code: 'upstream_error', message: 'It broke.', retryable: true },
      parameters: { effort: 'high', anchor: { chat_id: 1, message_id: -2 }, tools: ['shell'] },
      checkpoint: [newMessage(chat.id, { role: 'assistant' })],
    };
    await stage.store.turns.create(turn, message, { place: true });
    expect(await stage.store.turns.get(chat.id, turn.id)).toEqual(turn);
    expect(await stage.store.turns.get(nextId(), turn.id)).toBeUndefined();
  });

  test('stores a turn, its message and the changes of its chat together', async () => {
    const chat = await stage.chat();
    const message = newMessage(chat.id, { turn_id: nextId() });
    const changes = { title: 'Named', last_message_at: message.created_at };
    await stage.store.turns.create(newTurn(message), message, { place: true, chat: changes });
    expect(await stage.store.chats.get(chat.id)).toEqual({ ...chat, ...changes });
    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toEqual([{ ...message, position: 1 }]);
  });

  test('assigns a position to a queued message when its turn starts, before messages of the turn', async () => {
    const { chat, ids } = await stage.history(2);
    const { turn, message } = await stage.turn(chat.id, {}, { place: false });
    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toHaveLength(2);
    expect(await stage.store.messages.listFrom(chat.id, 1)).toHaveLength(2);
    expect(await stage.store.messages.get(chat.id, message.id)).toEqual({ ...message, position: null });
    expect(await stage.store.messages.listOfTurn(chat.id, turn.id)).toEqual([{ ...message, position: null }]);
    expect((await stage.store.chats.count()).messages).toBe(2);

    const append = [newMessage(chat.id, { turn_id: turn.id }), newMessage(chat.id, { turn_id: turn.id })];
    await stage.store.turns.write({
      turn_id: turn.id,
      chat_id: chat.id,
      turn: {},
      place: message.id,
      append,
    });
    const placed = [message, ...append].map((each, index) => ({ ...each, position: 3 + index }));
    expect(await stage.store.messages.listOfTurn(chat.id, turn.id)).toEqual(placed);
    const page = await stage.store.messages.list(chat.id, { limit: 9 });
    expect(page.map(({ id }) => id)).toEqual([...ids, ...placed.map(({ id }) => id)]);
  });

  test('returns the queued message of a turn before the placed ones', async () => {
    const chat = await stage.chat();
    const { turn, message } = await stage.turn(chat.id, {}, { place: false });
    const append = [newMessage(chat.id, { turn_id: turn.id })];
    await stage.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: {}, append });
    const ids = (await stage.store.messages.listOfTurn(chat.id, turn.id)).map(({ id }) => id);
    expect(ids).toEqual([message.id, append[0]!.id]);
  });

  test('changes the columns that a write names, and keeps the others', async () => {
    const chat = await stage.chat();
    const { turn } = await stage.turn(chat.id);
    const checkpoint = [newMessage(chat.id, { role: 'assistant', turn_id: turn.id })];
    const write = { turn_id: turn.id, chat_id: chat.id };
    await stage.store.turns.write({ ...write, turn: { model: 'a/b', checkpoint } });
    expect(await stage.store.turns.get(chat.id, turn.id)).toEqual({ ...turn, model: 'a/b', checkpoint });
    const end = {
      status: 'failed' as const,
      checkpoint: null,
      ended_at: '2026-03-01T00:00:00.000Z',
      error: { code: 'internal' as const, message: 'No.', retryable: false },
      model: undefined,
    };
    await stage.store.turns.write({ ...write, turn: end });
    expect(await stage.store.turns.get(chat.id, turn.id)).toEqual({ ...turn, ...end, model: 'a/b' });
  });

  test('lists unfinished turns of all chats in the order of their creation', async () => {
    const [one, two] = [await stage.chat(), await stage.chat()];
    const first = await stage.turn(one.id);
    const second = await stage.turn(two.id, {}, { place: false });
    const third = await stage.turn(one.id, {}, { place: false });
    const ended = await stage.turn(two.id);
    const write = { chat_id: one.id, turn: { status: 'sleeping' as const } };
    await stage.store.turns.write({ ...write, turn_id: third.turn.id });
    await stage.store.turns.write({ turn_id: ended.turn.id, chat_id: two.id, turn: { status: 'cancelled' } });
    const unfinished = await stage.store.turns.listUnfinished();
    expect(unfinished.map(turn => [turn.id, turn.status])).toEqual([
      [first.turn.id, 'running'],
      [second.turn.id, 'queued'],
      [third.turn.id, 'sleeping'],
    ]);
  });

  test('assigns fifty positions without a gap to fifty turns started concurrently in one chat', async () => {
    const chat = await stage.chat();
    await Promise.all(Array.from({ length: 50 }, () => stage.turn(chat.id)));
    const messages = await stage.store.messages.list(chat.id, { limit: 100 });
    expect(messages.map(({ position }) => position)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect((await stage.store.chats.count()).turns.running).toBe(50);
  });

  test('never returns half a write to readers between writers', async () => {
    const chat = await stage.chat();
    const { turn } = await stage.turn(chat.id);
    const writes = Array.from({ length: 30 }, () =>
      stage.store.turns.write({
        turn_id: turn.id,
        chat_id: chat.id,
        turn: {},
        append: [newMessage(chat.id), newMessage(chat.id)],
      }),
    );
    const reads = Array.from({ length: 30 }, () => stage.store.messages.list(chat.id, { limit: 100 }));
    for (const messages of await Promise.all(reads)) {
      expect(messages.length % 2).toBe(1);
      expect(messages.at(-1)?.position).toBe(messages.length);
    }
    await Promise.all(writes);
    expect((await stage.store.chats.count()).messages).toBe(61);
  });

  test('leaves nothing of a failed write', async () => {
    const { chat, ids } = await stage.history(2);
    const { turn } = await stage.turn(chat.id);
    const write = {
      turn_id: turn.id,
      chat_id: chat.id,
      turn: { status: 'completed' as const },
      spend: newSpend(),
      chat: { title: 'Half' },
    };
    const taken = [newMessage(chat.id), newMessage(chat.id, { id: ids[0]! })];
    await expect(stage.store.turns.write({ ...write, append: taken })).rejects.toThrow();
    const nowhere = { ...write, turn_id: nextId(), append: [newMessage(chat.id)] };
    await expect(stage.store.turns.write(nowhere)).rejects.toThrow(/There is no turn/);
    const placedBefore = { ...write, place: ids[1]!, append: [newMessage(chat.id)] };
    await expect(stage.store.turns.write(placedBefore)).rejects.toThrow(/No message .* waits/);
    const otherChat = { ...write, chat_id: nextId() };
    await expect(stage.store.turns.write(otherChat)).rejects.toThrow(/There is no chat/);

    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toHaveLength(3);
    expect(await stage.store.turns.get(chat.id, turn.id)).toEqual(turn);
    expect(await stage.store.spend.list(chat.id)).toEqual([]);
    expect((await stage.store.chats.get(chat.id))?.title).toBeNull();
    await stage.store.turns.write({ ...write, append: [newMessage(chat.id)] });
    expect((await stage.store.messages.list(chat.id, { limit: 1 }))[0]?.position).toBe(4);
  });

  test('leaves nothing of a failed start', async () => {
    const chat = await stage.chat();
    const { turn } = await stage.turn(chat.id);
    const message = newMessage(chat.id, { turn_id: turn.id });
    const idempotency = { key: 'key', fingerprint: 'print', created_at: turn.created_at };
    const again = newTurn(message, { id: turn.id });
    const started = stage.store.turns.create(again, message, {
      place: true,
      idempotency,
      chat: { title: 'Half' },
    });
    await expect(started).rejects.toThrow();
    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toHaveLength(1);
    expect((await stage.store.chats.get(chat.id))?.title).toBeNull();
    expect(await stage.store.turns.findByKey(chat.id, 'key', '2000-01-01T00:00:00.000Z')).toBeUndefined();

    const lost = newMessage(nextId());
    await expect(stage.store.turns.create(newTurn(lost), lost, { place: false })).rejects.toThrow(
      /There is no chat/,
    );
  });
}
