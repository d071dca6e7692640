/** Tests chats on each database. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { chatColumns } from '../columns.ts';
import { newChat, newMessage, newSpend, newTurn, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function chatSuite(stage: Stage): void {
  test('has a column for every property of a chat, added by a migration', async () => {
    await stage.store.close();
    await stage.withDatabase(async database => {
      const columns = await chatColumns(database);
      expect(Object.keys(newChat()).filter(name => !columns.includes(name))).toEqual([]);
    });
  });

  test('reads a chat back with every field unchanged', async () => {
    const chat = newChat({
      title: 'Travel ✈ to Zürich',
      last_message_at: '2026-02-03T04:05:06.789Z',
      workdir: '/home/me',
      workdir_on: 'server',
      forked_from: nextId(),
      forked_at_message: nextId(),
      effort: 'high',
      model: 'maker/model',
      shelf: 'work',
      project: 'travel',
      toolset: { loaded: ['books'], disabled: ['shell'] },
      compaction: 'tight',
      summary: { text: 'So far.', upto_message: nextId(), created_at: '2026-02-03T04:05:06.789Z' },
      plan: [{ title: 'Pack', status: 'in_progress' }],
      prefix_tokens: 1234,
    });
    await stage.store.chats.create(chat);
    expect(await stage.store.chats.get(chat.id)).toEqual(chat);
  });

  test('reads a chat without settings back with its nulls', async () => {
    const chat = await stage.chat();
    expect(await stage.store.chats.get(chat.id)).toEqual(chat);
    expect(await stage.store.chats.get(nextId())).toBeUndefined();
  });

  test('rejects a second chat with the same id, and keeps the first', async () => {
    const chat = await stage.chat({ title: 'First' });
    await expect(stage.store.chats.create({ ...chat, title: 'Second' })).rejects.toThrow();
    expect((await stage.store.chats.get(chat.id))?.title).toBe('First');
  });

  test('lists chats newest first, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.unshift((await stage.chat()).id);
    const pages: string[][] = [];
    for (let before: string | undefined; ; before = pages.at(-1)?.at(-1)) {
      const page = await stage.store.chats.list({ limit: 3, ...(before && { before }) });
      if (page.length === 0) break;
      pages.push(page.map(chat => chat.id));
    }
    expect(pages.map(page => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(ids);
  });

  test('filters chats by shelf and project', async () => {
    const a = await stage.chat({ shelf: 'work', project: 'one' });
    const b = await stage.chat({ shelf: 'work', project: 'two' });
    const c = await stage.chat({ shelf: 'home', project: 'one' });
    const ids = async (filter: object) =>
      (await stage.store.chats.list({ limit: 50, ...filter })).map(({ id }) => id);
    expect(await ids({ shelf: 'work' })).toEqual([b.id, a.id]);
    expect(await ids({ project: 'one' })).toEqual([c.id, a.id]);
    expect(await ids({ shelf: 'work', project: 'one' })).toEqual([a.id]);
    expect(await ids({ shelf: 'work', before: b.id })).toEqual([a.id]);
    expect(await ids({ shelf: 'attic' })).toEqual([]);
  });

  test.each([
    ['100', ['100% sure', '100 things']],
    ['100%', ['100% sure']],
    ['a_b', ['a_b']],
    ['!', ['wow!']],
    ['\\', ['back\\slash']],
    ["o'", ["it's o'clock"]],
    ['SURE', ['100% sure']],
    ['élan', ['ÉLAN vital']],
    ['ПРИВЕТ', ['привет, мир']],
    ['strasse', ['Große Straße']],
    ['nothing', []],
    ['', TITLES],
  ])('finds by the title query %j exactly %j', async (q, found) => {
    for (const title of TITLES) await stage.chat({ title });
    const chats = await stage.store.chats.list({ limit: 50, q });
    expect(chats.map(chat => chat.title).reverse()).toEqual(found);
  });

  test('finds a renamed chat only by its new title', async () => {
    const { id } = await stage.chat({ title: 'Old' });
    await stage.store.chats.update(id, { title: 'New' });
    expect(await stage.store.chats.list({ limit: 1, q: 'old' })).toEqual([]);
    expect(await stage.store.chats.list({ limit: 1, q: 'new' })).toHaveLength(1);
    await stage.store.chats.update(id, { title: null });
    expect(await stage.store.chats.list({ limit: 1, q: 'new' })).toEqual([]);
  });

  test('updates the fields that it names, null included, and returns the chat', async () => {
    const chat = await stage.chat({
      title: 'Kept',
      workdir: '/x',
      plan: [{ title: 'A', status: 'pending' }],
    });
    const changes = {
      workdir: null,
      plan: [],
      summary: { text: 's', upto_message: chat.id, created_at: chat.created_at },
    };
    const updated = await stage.store.chats.update(chat.id, { ...changes, title: undefined });
    expect(updated).toEqual({ ...chat, ...changes });
    expect(await stage.store.chats.get(chat.id)).toEqual(updated);
    expect(await stage.store.chats.update(chat.id, {})).toEqual(updated);
    expect(await stage.store.chats.update(nextId(), { title: 'Nobody' })).toBeUndefined();
  });

  test('stores and searches text with U+0000 in every database', async () => {
    const { id } = await stage.chat({ title: 'nu\0ll', shelf: 'sh\0elf' });
    const found = await stage.store.chats.list({ limit: 1, q: 'u\0l', shelf: 'sh\0elf' });
    expect(found.map(chat => [chat.id, chat.title])).toEqual([[id, 'null']]);
  });

  test('[WIRE-5] deletes messages, turns, spend, keys and images with a chat, and no total falls [CHAT-5]', async () => {
    const { store } = stage;
    const kept = await fill(stage);
    const gone = await fill(stage);
    expect(await store.chats.delete(gone.chat)).toBe(true);
    expect(await store.chats.get(gone.chat)).toBeUndefined();
    expect(await store.messages.list(gone.chat, { limit: 10 })).toEqual([]);
    expect(await store.messages.listOfTurn(gone.chat, gone.turn)).toEqual([]);
    expect(await store.turns.get(gone.chat, gone.turn)).toBeUndefined();
    expect(await store.spend.list(gone.chat)).toEqual([]);
    expect(await store.turns.findByKey(gone.chat, 'key', '2000-01-01T00:00:00.000Z')).toBeUndefined();
    expect(await store.images.get(gone.image)).toBeUndefined();

    expect(await store.messages.list(kept.chat, { limit: 10 })).toHaveLength(1);
    expect(await store.turns.get(kept.chat, kept.turn)).toBeDefined();
    expect(await store.spend.list(kept.chat)).toHaveLength(1);
    expect(await store.turns.findByKey(kept.chat, 'key', '2000-01-01T00:00:00.000Z')).toBeDefined();
    expect(await store.images.get(kept.image)).toBeDefined();
    expect(await store.chats.count()).toMatchObject({ chats: 2, messages: 2, turns: { running: 1 } });
    const files = await readdir(`${stage.data_dir}/images`, { recursive: true });
    expect(files.filter(file => file.includes('/'))).toEqual([`${kept.image.slice(0, 2)}/${kept.image}`]);
  });

  test('returns false when it deletes an unknown chat', async () => {
    expect(await stage.store.chats.delete(nextId())).toBe(false);
  });
}

const TITLES = [
  '100% sure',
  '100 things',
  'a_b',
  'axb',
  'wow!',
  'back\\slash',
  "it's o'clock",
  'ÉLAN vital',
  'привет, мир',
  'Große Straße',
  null,
];

/** Creates a chat with a message, a turn, a key, spend and an image. */
async function fill(stage: Stage) {
  const { store } = stage;
  const { id } = await stage.chat();
  const message = newMessage(id, { turn_id: nextId() });
  const turn = newTurn(message);
  const idempotency = { key: 'key', fingerprint: 'print', created_at: turn.created_at };
  await store.turns.create(turn, message, { place: true, idempotency });
  await store.turns.write({ turn_id: turn.id, chat_id: id, turn: {}, spend: newSpend() });
  const image = {
    id: crypto.randomUUID(),
    chat_id: id,
    media_type: 'image/png',
    created_at: turn.created_at,
  };
  await store.images.save(image, new Uint8Array([1, 2, 3]));
  return { chat: id, turn: turn.id, image: image.id };
}
