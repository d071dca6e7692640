/** Tests writes to a chat outside its turns, on each database. */
import type { StoredBlock } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, newMessage, newSpend, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function chatWriteSuite(stage: Stage): void {
  test('writes messages, spend and changes of the chat together', async () => {
    const { chat, ids } = await stage.history(2);
    const append = [newMessage(chat.id), newMessage(chat.id)];
    const notebook = 'nul \0, lone \ud800';
    const changes = { notebook, notebook_at: NOW, context_tokens: 12 };
    await stage.store.chats.write({ chat_id: chat.id, append, spend: newSpend(), chat: changes });
    const stored = await stage.store.messages.list(chat.id, { limit: 9 });
    expect(stored.map(({ id, position }) => [id, position])).toEqual(
      [...ids, ...append.map(({ id }) => id)].map((id, index) => [id, index + 1]),
    );
    expect(await stage.store.chats.get(chat.id)).toEqual({ ...chat, ...changes });
    expect(await stage.store.spend.list(chat.id)).toEqual([newSpend()]);
    await stage.store.chats.write({ chat_id: chat.id });
  });

  test('writes nothing if one part fails', async () => {
    const { chat, ids } = await stage.history(1);
    const append = [newMessage(chat.id), newMessage(chat.id, { id: ids[0]! })];
    const write = { chat_id: chat.id, append, spend: newSpend(), chat: { notebook: 'new' } };
    await expect(stage.store.chats.write(write)).rejects.toThrow();
    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toHaveLength(1);
    expect(await stage.store.chats.get(chat.id)).toEqual(chat);
    expect(await stage.store.spend.list(chat.id)).toEqual([]);
  });

  test('rejects any write to a deleted chat', async () => {
    for (const write of [{}, { spend: newSpend() }, { append: [newMessage(nextId())] }, { chat: {} }]) {
      await expect(stage.store.chats.write({ chat_id: nextId(), ...write })).rejects.toThrow(
        /There is no chat/,
      );
    }
  });

  test('changes the chat together with a rewind, and not if the rewind deletes nothing [MSG-3]', async () => {
    const { chat } = await stage.history(3);
    const changes = { summary: null, context_tokens: 0, last_message_at: NOW, notebook: 'kept' };
    expect(await stage.store.messages.rewind(chat.id, 4, { notebook: 'other' })).toMatchObject({
      deleted: 0,
    });
    expect(await stage.store.chats.get(chat.id)).toEqual(chat);
    expect(await stage.store.messages.rewind(chat.id, 2, changes)).toMatchObject({ deleted: 2 });
    expect(await stage.store.chats.get(chat.id)).toEqual({ ...chat, ...changes });
  });

  test('finds the newest compaction marker before a position', async () => {
    const { chat } = await stage.history(2);
    const other = await stage.history(2);
    const fold = (text: string): StoredBlock => ({
      type: 'text',
      text,
      internal: { compaction: { text, upto_message: nextId() } },
    });
    const markers = [
      newMessage(chat.id, { content: [fold('a')] }),
      newMessage(chat.id, { content: [fold('b')] }),
    ];
    await stage.store.chats.write({
      chat_id: chat.id,
      append: [markers[0]!, newMessage(chat.id), markers[1]!],
    });
    const before = (position: number, id = chat.id) => stage.store.messages.findCompaction(id, position);
    expect(await before(99)).toEqual({ ...markers[1], position: 5 });
    expect(await before(5)).toEqual({ ...markers[0], position: 3 });
    expect(await before(3)).toBeUndefined();
    expect(await before(99, other.chat.id)).toBeUndefined();
    await stage.store.messages.rewind(chat.id, 5);
    expect((await before(99))?.id).toBe(markers[0]!.id);
  });
}
