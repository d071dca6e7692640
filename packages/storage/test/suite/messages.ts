/** Tests messages on each database. */
import type { StoredBlock } from '@chat-kernel/kernel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newMessage, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function messageSuite(stage: Stage): void {
  test('reads a message back with its blocks, their internal fields, and its position', async () => {
    const chat = await stage.chat();
    const content: StoredBlock[] = [
      { type: 'text', text: 'nul \0, lone \ud800, emoji 🙂, "quotes"' },
      {
        type: 'thinking',
        text: '',
        internal: { origin: { provider: 'p', family: 'f', metadata: { a: [1] } } },
      },
      { type: 'tool_use', id: 'c1', name: 'shell', input: { deep: { list: [1, null, 'x'] } } },
      { type: 'image', media_type: 'image/png', data: '', internal: { image_id: nextId() } },
    ];
    const { message } = await stage.turn(chat.id, { content, sender: 'Ann\0a', status: 'aborted' });
    const expected = { ...message, sender: 'Anna', position: 1 };
    expect(await stage.store.messages.get(chat.id, message.id)).toEqual(expected);
    expect(await stage.store.messages.list(chat.id, { limit: 1 })).toEqual([expected]);
  });

  test('omits the sender key of a message without a sender', async () => {
    const { chat, ids } = await stage.history(1);
    expect(await stage.store.messages.get(chat.id, ids[0]!)).not.toHaveProperty('sender');
  });

  test('finds a message only in its own chat', async () => {
    const { ids } = await stage.history(1);
    const other = await stage.chat();
    expect(await stage.store.messages.get(other.id, ids[0]!)).toBeUndefined();
    expect(await stage.store.messages.get(other.id, nextId())).toBeUndefined();
  });

  test('returns every message once and in order on backward pages, for any page sizes [MSG-2]', async () => {
    const { chat, ids } = await stage.history(40);
    const neighbour = await stage.history(5);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1 }), async limits => {
        const seen: string[] = [];
        for (let page = 0, before: number | undefined; ; page++) {
          const limit = limits[page % limits.length]!;
          const range = before === undefined ? { limit } : { limit, before };
          const messages = await stage.store.messages.list(chat.id, range);
          if (messages.length === 0) break;
          expect(messages.length).toBe(Math.min(limit, ids.length - seen.length));
          seen.unshift(...messages.map(message => message.id));
          before = messages[0]!.position!;
        }
        expect(seen).toEqual(ids);
      }),
      { numRuns: 20 },
    );
    expect(await stage.store.messages.list(neighbour.chat.id, { limit: 50 })).toHaveLength(5);
  });

  test('returns the rest in order on forward pages from any position, for any page sizes', async () => {
    const { chat, ids } = await stage.history(30);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 1, max: 35 }),
        async (start, limit) => {
          const seen: string[] = [];
          for (let position = start; ; ) {
            const messages = await stage.store.messages.listFrom(chat.id, position, limit);
            if (messages.length === 0) break;
            seen.push(...messages.map(message => message.id));
            position = messages.at(-1)!.position! + 1;
          }
          expect(seen).toEqual(ids.slice(start - 1));
          expect((await stage.store.messages.listFrom(chat.id, start)).map(({ id }) => id)).toEqual(seen);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('deletes the message and all after it on a rewind, and returns those with calls in order [MSG-3]', async () => {
    const { chat, ids } = await stage.history(6);
    const call = (n: number) => ({ type: 'tool_use' as const, id: `call_${n}`, name: 'shell', input: {} });
    const saying = (text: string) => ({ type: 'text' as const, text });
    const append = [[saying('a'), call(1)], [saying('"type":"tool_use"')], [call(2)]].map(content =>
      newMessage(chat.id, { role: 'assistant', content }),
    );
    await stage.store.chats.write({ chat_id: chat.id, append });
    const { deleted, with_calls } = await stage.store.messages.rewind(chat.id, 3);
    expect(deleted).toBe(7);
    expect(with_calls.map(({ id, position, content }) => [id, position, content])).toEqual([
      [append[0]?.id, 7, append[0]?.content],
      [append[2]?.id, 9, append[2]?.content],
    ]);
    const left = await stage.store.messages.list(chat.id, { limit: 50 });
    expect(left.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await stage.store.chats.count()).messages).toBe(2);
  });

  test('continues positions without a gap after a rewind', async () => {
    const { chat } = await stage.history(4);
    await stage.store.messages.rewind(chat.id, 2);
    const { message } = await stage.turn(chat.id);
    expect((await stage.store.messages.get(chat.id, message.id))?.position).toBe(2);
  });

  test('deletes nothing on a rewind to an unknown position', async () => {
    const { chat } = await stage.history(2);
    expect(await stage.store.messages.rewind(chat.id, 3)).toEqual({ deleted: 0, with_calls: [] });
    expect(await stage.store.messages.rewind(chat.id, 30)).toEqual({ deleted: 0, with_calls: [] });
    expect(await stage.store.messages.rewind(nextId(), 1)).toEqual({ deleted: 0, with_calls: [] });
    const { message } = await stage.turn(chat.id);
    expect((await stage.store.messages.get(chat.id, message.id))?.position).toBe(3);
  });

  test('empties the chat on a rewind to the start, and keeps other chats and queued messages', async () => {
    const { chat } = await stage.history(3);
    const other = await stage.history(3);
    const { turn, message } = await stage.turn(chat.id, {}, { place: false });
    expect(await stage.store.messages.rewind(chat.id, 0)).toMatchObject({ deleted: 3 });
    expect(await stage.store.messages.list(chat.id, { limit: 9 })).toEqual([]);
    expect((await stage.store.messages.listOfTurn(chat.id, turn.id)).map(({ id }) => id)).toEqual([
      message.id,
    ]);
    expect(await stage.store.messages.list(other.chat.id, { limit: 9 })).toHaveLength(3);
  });

  test('returns records that are independent of the store', async () => {
    const { chat, ids } = await stage.history(1);
    const first = await stage.store.messages.get(chat.id, ids[0]!);
    first!.content.push({ type: 'text', text: 'scribbled' });
    const second = await stage.store.messages.get(chat.id, ids[0]!);
    expect(second!.content).toEqual([{ type: 'text', text: 'Hello.' }]);
  });
}
