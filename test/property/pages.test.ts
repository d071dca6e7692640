import type { Kernel, Store, StoredBlock } from '@chat-kernel/kernel';
import type { Item, Message } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMessage, newTurn, nextId } from '../../packages/storage/test/records.ts';
import { forAsLong } from '../harness/for-as-long.ts';
import { openKernelWithStore } from './open-kernel.ts';

let opened: Awaited<ReturnType<typeof openKernelWithStore>>;
let store: Store;
let kernel: Kernel;
beforeAll(async () => {
  opened = await openKernelWithStore();
  ({ store, kernel } = opened);
});
afterAll(() => opened.close());

/** Steps of a turn: any number of texts and calls, and messages without items. */
const step = fc.record({ texts: fc.nat({ max: 3 }), calls: fc.nat({ max: 3 }), silent: fc.boolean() });
const histories = fc.array(fc.array(step, { maxLength: 3 }), { minLength: 1, maxLength: 6 });

describe('[MSG-2] [ITEM-7] [ITEM-9] pages', () => {
  it('return the whole history at every limit without gap or repeat', { timeout: 300_000 }, async () => {
    await fc.assert(
      forAsLong(
        30_000,
        fc.asyncProperty(histories, fc.integer({ min: 1, max: 7 }), async (turns, limit) => {
          const chat = await fill(turns);
          const wholeItems = (await kernel.history.items(chat, { limit: 500 })).items;
          const wholeMessages = (await kernel.history.messages(chat, { limit: 500 })).messages;
          expect(await walkItems(chat, limit)).toEqual(wholeItems);
          expect(await walkMessages(chat, limit)).toEqual(wholeMessages);
          expect(wholeItems.every(item => item.kind !== 'tool_call' || item.output !== undefined)).toBe(true);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('continue after a cursor inside a message with the items before it', async () => {
    const chat = await fill([[{ texts: 3, calls: 2, silent: false }]]);
    const { items } = await kernel.history.items(chat, { limit: 500 });
    for (const [index, item] of items.entries()) {
      const page = await kernel.history.items(chat, { limit: 500, before: item.id });
      expect(page.items).toEqual(items.slice(0, index));
    }
  });
});

async function walkItems(chat: string, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  let before: string | null = null;
  do {
    const page = await kernel.history.items(chat, { limit, ...(before !== null && { before }) });
    items.unshift(...page.items);
    before = page.next_before;
  } while (before !== null);
  return items;
}

async function walkMessages(chat: string, limit: number): Promise<Message[]> {
  const messages: Message[] = [];
  let before: string | null = null;
  do {
    const page = await kernel.history.messages(chat, { limit, ...(before !== null && { before }) });
    expect(page.messages.length).toBeLessThanOrEqual(limit);
    messages.unshift(...page.messages);
    before = page.next_before;
  } while (before !== null);
  return messages;
}

async function fill(turns: typeof histories extends fc.Arbitrary<infer T> ? T : never): Promise<string> {
  const { id: chat } = await kernel.chats.create({});
  for (const steps of turns) {
    const message = newMessage(chat, { turn_id: nextId() });
    const turn = newTurn(message, { status: 'running' });
    await store.turns.create(turn, message, { place: true });
    const append = steps.flatMap(({ texts, calls, silent }) => {
      const ids = Array.from({ length: calls }, nextId);
      const said = Array.from(
        { length: texts },
        (_, n): StoredBlock => ({ type: 'text', text: `text ${n}` }),
      );
      const used = ids.map((id): StoredBlock => ({ type: 'tool_use', id, name: 't', input: {} }));
      const returned = ids.map(
        (id): StoredBlock => ({ type: 'tool_result', tool_use_id: id, output: `of ${id}`, is_error: false }),
      );
      const context: StoredBlock[] = [{ type: 'context', text: 'for the model alone' }];
      return [
        newMessage(chat, { role: 'assistant', turn_id: turn.id, content: [...said, ...used] }),
        ...(ids.length > 0 ? [newMessage(chat, { turn_id: turn.id, content: returned })] : []),
        ...(silent ? [newMessage(chat, { turn_id: turn.id, content: context })] : []),
      ];
    });
    const ended = { status: 'completed', ended_at: new Date().toISOString() } as const;
    await store.turns.write({ turn_id: turn.id, chat_id: chat, turn: ended, append });
  }
  return chat;
}
