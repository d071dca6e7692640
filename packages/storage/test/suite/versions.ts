/** Tests the versions of chats on each database (EDIT-1 to EDIT-4). */
import { expect, test } from 'vitest';
import { NOW, newMessage, newTurn } from '../records.ts';
import type { Stage } from '../stage.ts';

export function versionSuite(stage: Stage): void {
  const present = async (chatId: string) =>
    (await stage.store.messages.list(chatId, { limit: 50 })).map(({ id, position }) => [id, position]);
  const placed = (ids: readonly string[], from: number) => ids.map((id, index) => [id, from + index]);
  const keep = (id: string) => ({ id, summary: null });

  /** Replaces the messages from a position on by a new turn, as a retry does. Returns the message of the turn. */
  async function retry(chatId: string, position: number, text = 'Hello.') {
    const [old] = await stage.store.messages.listFrom(chatId, position, 1);
    const message = newMessage(chatId, { content: [{ type: 'text', text }] });
    const turn = newTurn(message, { model: 'scripted/plain' });
    Object.assign(message, { turn_id: turn.id });
    await stage.store.turns.create(turn, message, {
      place: true,
      replace: { position, version: keep(old!.id), chat: { context_tokens: 0 } },
    });
    return message;
  }

  test('keeps the replaced messages of a retry, and the search finds only the present', async () => {
    const { chat, ids } = await stage.history(3, 'albatross');
    const message = await retry(chat.id, 2, 'albatross again');
    expect(await present(chat.id)).toEqual([...placed([ids[0]!], 1), [message.id, 2]]);
    expect(await stage.store.versions.list(chat.id)).toMatchObject([
      { id: ids[1], inside: null, position: 2, messages: 2, first: { id: ids[1], position: 2 } },
    ]);
    const found = await stage.store.search.messages('albatross', 9);
    expect(found.map(({ message_id }) => message_id)).toEqual([message.id, ids[0]]);
    expect(await stage.store.messages.get(chat.id, ids[1]!)).toBeUndefined();
    expect((await stage.store.versions.messages(chat.id, ids[1]!, 2, 9)).map(({ id }) => id)).toEqual(
      ids.slice(1),
    );
  });

  test('exchanges the present and a version, and finds its messages again', async () => {
    const { chat, ids } = await stage.history(3, 'puffin');
    const message = await retry(chat.id, 2);
    expect(await stage.store.versions.activate(chat.id, ids[1]!, NOW)).toBe(message.id);
    expect(await present(chat.id)).toEqual(placed(ids, 1));
    expect(await stage.store.search.messages('puffin', 9)).toHaveLength(3);
    expect(await stage.store.versions.list(chat.id)).toMatchObject([
      { id: message.id, position: 2, messages: 1, model: 'scripted/plain' },
    ]);
    // It is the present by now, and so nothing changes.
    expect(await stage.store.versions.activate(chat.id, ids[1]!, NOW)).toBeNull();
    expect(await stage.store.versions.activate(chat.id, ids[0]!, NOW)).toBeUndefined();
    const next = await stage.turn(chat.id);
    expect((await stage.store.messages.get(chat.id, next.message.id))?.position).toBe(4);
  });

  test('keeps versions inside of a version, and activates them with it', async () => {
    const { chat, ids } = await stage.history(4);
    const inner = await retry(chat.id, 3);
    const outer = await retry(chat.id, 2);
    expect(await stage.store.versions.list(chat.id)).toMatchObject([
      { id: ids[1], inside: null, position: 2, messages: 2 },
      { id: ids[2], inside: ids[1], position: 3, messages: 2 },
    ]);
    expect(await stage.store.versions.listAt(chat.id, 1, 9)).toEqual([
      { id: ids[1], inside: null, position: 2 },
    ]);
    expect(await stage.store.versions.activate(chat.id, ids[2]!, NOW)).toBe(outer.id);
    expect(await present(chat.id)).toEqual(placed(ids, 1));
    expect(await stage.store.versions.list(chat.id)).toMatchObject([
      { id: inner.id, inside: null, position: 3 },
      { id: outer.id, inside: null, position: 2 },
    ]);
    // Its message stands inside of the other version, at a place of versions.
    await stage.store.versions.activate(chat.id, outer.id, NOW);
    expect(await stage.store.versions.activate(chat.id, ids[2]!, NOW)).toBe(outer.id);
    expect(await present(chat.id)).toEqual(placed(ids, 1));
  });

  test('makes a version of rewound messages, and deletes the versions behind deleted ones', async () => {
    const { chat, ids } = await stage.history(4);
    await retry(chat.id, 4);
    const rewound = await stage.store.messages.rewind(chat.id, 3, {}, keep(ids[2]!));
    expect(rewound.deleted).toBe(2);
    expect(await present(chat.id)).toEqual(placed(ids.slice(0, 2), 1));
    expect((await stage.store.versions.list(chat.id)).map(({ id, inside }) => [id, inside])).toEqual([
      [ids[2], null],
      [ids[3], ids[2]],
    ]);
    // The version at the deleted message stays, unlike those behind it.
    await stage.turn(chat.id);
    await stage.store.messages.rewind(chat.id, 3);
    expect(await stage.store.versions.list(chat.id)).toHaveLength(2);
    await stage.store.messages.rewind(chat.id, 2);
    expect(await stage.store.versions.list(chat.id)).toEqual([]);
  });

  test('keeps the summary of a version with it', async () => {
    const { chat, ids } = await stage.history(4);
    const summary = { text: 'Earlier.', upto_message: ids[2]!, created_at: NOW };
    await stage.store.chats.update(chat.id, { summary });
    await stage.store.messages.rewind(chat.id, 2, { summary: null }, { id: ids[1]!, summary });
    const other = await stage.turn(chat.id);
    expect((await stage.store.chats.get(chat.id))?.summary).toBeNull();
    await stage.store.versions.activate(chat.id, ids[1]!, NOW);
    expect((await stage.store.chats.get(chat.id))?.summary).toEqual(summary);
    await stage.store.versions.activate(chat.id, other.message.id, NOW);
    expect((await stage.store.chats.get(chat.id))?.summary).toBeNull();
  });

  test('changes nothing if the chat has another owner', async () => {
    const { chat, ids } = await stage.history(2);
    await stage.store.messages.rewind(chat.id, 2, {}, keep(ids[1]!));
    await expect(
      stage.store.versions.activate({ chat_id: chat.id, epoch: 7 }, ids[1]!, NOW),
    ).rejects.toMatchObject({
      code: 'fenced',
    });
    expect(await present(chat.id)).toEqual(placed([ids[0]!], 1));
  });
}
