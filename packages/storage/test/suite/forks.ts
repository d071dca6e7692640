/** Tests forks on each database: a branch equals its parent up to a cut, with its own ids. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRecord, NewMessage, StoredBlock, StoredMessage } from '@chat-kernel/kernel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOW, newChat, newMessage, newSpend, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function forkSuite(stage: Stage): void {
  test('builds a branch from its marker, the messages of the parent before the cut, and the closing messages [FORK-1]', async () => {
    const { chat, ids } = await stage.history(6);
    const before = await all(stage, chat.id);
    const { branch, marker, made } = await fork(stage, chat, { before: 4, closing: 2 });
    const copy = await all(stage, branch.id);
    expect(copy.map(({ id }) => id)).toEqual([marker.id, ...made.ids, ...made.closing.map(({ id }) => id)]);
    expect(copy.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(made.ids).toEqual([...made.ids].sort());
    expect(copy.slice(1, 4).map(content)).toEqual(before.slice(0, 3).map(content));
    expect(await all(stage, chat.id)).toEqual(before);
    expect(ids).toHaveLength(6);
    const { message } = await stage.turn(branch.id);
    expect((await stage.store.messages.get(branch.id, message.id))?.position).toBe(7);
    await stage.turn(chat.id);
    expect(await all(stage, branch.id)).toHaveLength(7);
  });

  test('copies the messages of the parent except their ids, for any history and any cut [FORK-1]', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, fc.nat(40), fc.integer({ min: 1, max: 3 }), async (blocks, cut, from) => {
        const chat = await stage.chat();
        const append = blocks.map(({ role, text, sender, status }) =>
          newMessage(chat.id, {
            role,
            status,
            turn_id: nextId(),
            content: [{ type: 'text', text }],
            ...(sender !== null && { sender }),
          }),
        );
        if (append.length > 0) await stage.store.chats.write({ chat_id: chat.id, append });
        const { branch, marker } = await fork(stage, chat, { from, before: cut });
        const [first, ...copy] = await all(stage, branch.id);
        expect(first?.id).toBe(marker.id);
        const source = (await all(stage, chat.id)).filter(
          ({ position }) => position! >= from && position! < cut,
        );
        expect(copy.map(content)).toEqual(source.map(content));
        expect(copy.map(({ position }) => position)).toEqual(source.map((_, index) => index + 2));
      }),
      { numRuns: 25 },
    );
  });

  test('copies a long history completely, in several steps', async () => {
    const chat = await stage.chat();
    const append = Array.from({ length: 2_222 }, (_, index) =>
      newMessage(chat.id, { content: [{ type: 'text', text: `${index}` }] }),
    );
    for (let start = 0; start < append.length; start += 1000)
      await stage.store.chats.write({ chat_id: chat.id, append: append.slice(start, start + 1000) });
    const { branch } = await fork(stage, chat, { before: 2_223 });
    const copy = await all(stage, branch.id);
    expect(copy.slice(1).map(({ content }) => content)).toEqual(append.map(({ content }) => content));
  });

  test('maps message ids inside a branch to the ids of the branch [FORK-2]', async () => {
    const { chat, ids } = await stage.history(4);
    const fold = (upto_message: string): StoredBlock[] => [
      { type: 'text', text: '[compacted]', internal: { compaction: { text: 'So far.', upto_message } } },
    ];
    const gone = nextId();
    await stage.store.chats.write({
      chat_id: chat.id,
      append: [
        newMessage(chat.id, { content: fold(ids[1]!) }),
        newMessage(chat.id, { content: fold(ids[0]!) }),
        newMessage(chat.id, { content: fold(gone) }),
      ],
    });
    const parent = { ...chat, summary: { text: 'So far.', upto_message: ids[2]!, created_at: NOW } };
    const { branch, marker, made } = await fork(stage, parent, { from: 2, before: 8 });
    const upto = async (position: number) =>
      (await stage.store.messages.findCompaction(branch.id, position))?.content[0]?.internal?.compaction
        ?.upto_message;
    expect((await stage.store.chats.get(branch.id))?.summary).toEqual({
      ...parent.summary,
      upto_message: made.ids[1],
    });
    expect(await upto(6)).toBe(made.ids[0]);
    // The first message of the parent was not copied: the marker is in its place.
    expect(await upto(7)).toBe(marker.id);
    expect(await upto(8)).toBe(gone);
    expect((await stage.store.messages.findCompaction(chat.id, 6))?.content).toEqual(fold(ids[1]!));
  });

  test('forks a branch of a branch, and an empty chat', async () => {
    const { chat } = await stage.history(3);
    const first = await fork(stage, chat, { before: 3 });
    const second = await fork(stage, first.branch, { from: 2, before: 9 });
    expect((await all(stage, second.branch.id)).map(content).slice(1)).toEqual(
      (await all(stage, chat.id)).map(content).slice(0, 2),
    );
    const empty = await fork(stage, await stage.chat(), { before: 1 });
    expect(await all(stage, empty.branch.id)).toHaveLength(1);
  });

  test('creates no branch of a deleted parent', async () => {
    const { branch, answer } = await fork(stage, newChat(), { before: 2 });
    expect(answer).toBe(false);
    expect(await stage.store.chats.get(branch.id)).toBeUndefined();
  });

  test('finds the messages of a turn in each chat separately, and deletes them with their chat [FORK-5]', async () => {
    const { chat, ids } = await stage.history(3);
    const turn = (await stage.store.messages.get(chat.id, ids[0]!))!.turn_id!;
    await stage.turn(chat.id, {}, { place: false });
    await stage.store.turns.write({ turn_id: turn, chat_id: chat.id, turn: {}, spend: newSpend() });
    const { branch, made } = await fork(stage, chat, { before: 3 });
    const idsOf = async (id: string) =>
      (await stage.store.messages.listOfTurn(id, turn)).map(message => message.id);
    expect(await idsOf(branch.id)).toEqual(made.ids);
    expect(await idsOf(chat.id)).toEqual(ids);
    expect(await stage.store.turns.get(branch.id, turn)).toBeUndefined();
    expect(await stage.store.spend.list(branch.id)).toEqual([]);
    await stage.store.messages.rewind(chat.id, 1);
    expect(await idsOf(branch.id)).toEqual(made.ids);
    await stage.store.chats.delete(chat.id);
    expect(await idsOf(branch.id)).toEqual(made.ids);
  });

  test('keeps files and images of a branch after its parent is deleted, until the last chat is deleted [FORK-5]', async () => {
    const { store } = stage;
    const chat = await stage.chat();
    const image = { id: crypto.randomUUID(), chat_id: chat.id, media_type: 'image/png', created_at: NOW };
    await store.images.save(image, new Uint8Array([1, 2, 3]));
    const file = { id: crypto.randomUUID(), name: 'a.txt', media_type: 'text/plain', created_at: NOW };
    const { size } = await store.files.save(file, one(new Uint8Array([4])));
    const internal = { file: { ...file, size, url: '' } };
    const content: StoredBlock[] = [{ type: 'text', text: 'a.txt', internal }];
    await stage.turn(chat.id, { content });
    const { branch } = await fork(stage, chat, { before: 2 });
    expect(await store.chats.delete(chat.id)).toBe(true);
    await stage.reopen();
    expect(await stage.store.images.get(image.id)).toMatchObject({ id: image.id, media_type: 'image/png' });
    expect(await stage.store.files.get(file.id)).toBeDefined();
    await stage.store.chats.delete(branch.id);
    expect(await stage.store.images.get(image.id)).toBeUndefined();
    expect(await stage.store.files.get(file.id)).toBeUndefined();
    const path = join(stage.data_dir, 'images', image.id.slice(0, 2), image.id);
    expect(existsSync(path)).toBe(false);
  });

  test('appends a message that arrives during a fork to the parent, not to the copy', async () => {
    const { chat } = await stage.history(20);
    const forked = fork(stage, chat, { before: 21 });
    const [{ branch }] = await Promise.all([forked, stage.turn(chat.id), stage.turn(chat.id)]);
    expect(await all(stage, branch.id)).toHaveLength(21);
    expect((await all(stage, chat.id)).map(({ position }) => position)).toEqual(
      Array.from({ length: 22 }, (_, index) => index + 1),
    );
  });

  test('forks a parent that is deleted at the same time completely or not at all', async () => {
    for (let round = 0; round < 5; round++) {
      const { chat } = await stage.history(5);
      const forked = fork(stage, chat, { before: 6 });
      const [{ branch, answer }] = await Promise.all([forked, stage.store.chats.delete(chat.id)]);
      expect(await all(stage, branch.id)).toHaveLength(answer ? 6 : 0);
      expect(await stage.store.chats.get(chat.id)).toBeUndefined();
    }
  });
}

const HISTORY = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    status: fc.constantFrom('completed' as const, 'aborted' as const),
    text: fc.string({ unit: 'binary' }),
    sender: fc.option(fc.constantFrom('Ann', 'Bob')),
  }),
  { maxLength: 30 },
);

async function fork(
  stage: Stage,
  parent: ChatRecord,
  { from = 1, before, closing: count = 0 }: { from?: number; before: number; closing?: number },
) {
  const branch = newChat({ ...parent, id: nextId(), forked_from: parent.id });
  const note: StoredBlock = { type: 'text', text: '[forked]', internal: { note: 'fork_marker' } };
  const marker = newMessage(branch.id, { content: [note] });
  const closing: NewMessage[] = Array.from({ length: count }, () => newMessage(branch.id));
  const ids: string[] = [];
  const newId = () => {
    ids.push(nextId());
    return ids.at(-1)!;
  };
  const parts = { branch, parent_id: parent.id, from, before, marker, closing, newId };
  const answer = await stage.store.chats.fork(parts);
  return { branch, marker, answer, made: { ids, closing } };
}

const all = (stage: Stage, chatId: string) => stage.store.messages.listFrom(chatId, 1);

/** A message without its position and its ids. */
function content({ id, chat_id, position, ...rest }: StoredMessage) {
  return rest;
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
