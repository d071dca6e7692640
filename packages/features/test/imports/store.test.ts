/** Tests imported conversations over the database of the run: one is stored completely or not at all. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NOW, newChat, newMessage } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import type { NewImport } from '../../src/imports/records.ts';
import { ImportStore } from '../../src/imports/store.ts';

describe('Imports', importSuite);

/** A conversation of this many messages, and of images. */
function conversation(key: string, { messages = 2, images = 0 } = {}): NewImport {
  const chat = newChat();
  return {
    record: { source: 'elsewhere', key, fingerprint: 'before', chat_id: chat.id },
    chat,
    messages: Array.from({ length: messages }, () => newMessage(chat.id)),
    spend: [],
    images: Array.from({ length: images }, () => ({
      record: { id: crypto.randomUUID(), chat_id: chat.id, media_type: 'image/png', created_at: NOW },
      bytes: Buffer.from([1, 2, 3]),
    })),
    forks: [],
  };
}

function importSuite(): void {
  const stage = new Stage();
  const store = () => new ImportStore(stage.store.transactions, stage.store.bulkChats);
  const messageIds = async (chatId: string) =>
    (await stage.store.messages.listFrom(chatId, 1)).map(({ id }) => id);
  const imageFiles = async () =>
    (await readdir(join(stage.data_dir, 'images'), { recursive: true, withFileTypes: true })).filter(entry =>
      entry.isFile(),
    );

  test('[FACE-3] imports the other conversations of a batch if one was imported before', async () => {
    const imports = store();
    const first = conversation('a');
    expect(await imports.create(first)).toBe(true);
    const again = conversation('a');
    const others = [conversation('b'), conversation('c', { messages: 0 })];
    const results = await Promise.all([again, ...others].map(each => imports.create(each)));
    expect(results).toEqual([false, true, true]);
    expect(await stage.store.chats.get(again.chat.id)).toBeUndefined();
    expect(await imports.find('elsewhere', 'a')).toEqual(first.record);
    for (const { record, messages } of [first, ...others]) {
      expect(await messageIds(record.chat_id)).toEqual(messages.map(({ id }) => id));
    }
  });

  test('[FACE-3] stores no image bytes of a conversation that was imported before', async () => {
    expect(await store().create(conversation('a'))).toBe(true);
    expect(await store().create(conversation('a', { images: 2 }))).toBe(false);
    expect(await imageFiles()).toEqual([]);
    const pictures = conversation('b', { images: 1 });
    expect(await store().create(pictures)).toBe(true);
    const [{ record, bytes }] = pictures.images as [NewImport['images'][number]];
    expect(await stage.store.images.get(record.id)).toEqual({ ...record, bytes });
  });

  test('[FACE-3] appends nothing if the chat has other messages or a newer record', async () => {
    const { record, chat, ...made } = conversation('a');
    await store().create({ record, chat, ...made });
    const { chat_id } = record;
    const growth = (count: number, before: string) => ({
      record: { ...record, fingerprint: 'after' },
      before,
      count,
      changes: { updated_at: '2026-02-02T03:04:05.678Z' },
      messages: [newMessage(chat_id)],
      spend: [],
      images: [],
      held: { chat_id, epoch: undefined },
    });
    expect(await store().grow(growth(1, 'before'))).toBe(false);
    expect(await store().grow(growth(2, 'long before'))).toBe(false);
    expect(await messageIds(chat_id)).toEqual(made.messages.map(({ id }) => id));
    expect(await stage.store.chats.get(chat_id)).toEqual(chat);
    const fitting = growth(2, 'before');
    expect(await store().grow(fitting)).toBe(true);
    expect(await messageIds(chat_id)).toEqual([...made.messages, ...fitting.messages].map(({ id }) => id));
    expect(await store().find('elsewhere', 'a')).toEqual(fitting.record);
  });
}
