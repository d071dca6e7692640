/** Tests pages of items, for every limit and from every cursor. */
import type { Item } from '@chat-kernel/client';
import { beforeAll, expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

let chat: string;
let whole: Item[];
/** Message ids, oldest first; some of them have no items. */
let messages: string[];

const kernel = sharedKernel();
beforeAll(async () => {
  const { client, upstream } = kernel;
  chat = (await client.createChat()).id;
  await client.say(chat, 'One.');
  upstream.next(
    {
      steps: [
        { thinking: 'Hm.' },
        { text: 'Two calls.' },
        { call: { id: 'call_1', name: 'plan', input: { tasks: [] } } },
        { call: { id: 'call_2', name: 'nothing', input: {} } },
      ],
    },
    calls('call_3', 'plan', { tasks: [] }),
    says('Done.'),
  );
  await client.say(chat, 'Two.');
  await client.say(chat, 'Three.');
  whole = await client.items(chat);
  messages = (await client.listMessages(chat, { limit: 500 })).messages.map(({ id }) => id);
});

const messageOf = (item: Item): string => item.id.split(':')[0] as string;

test('[ITEM-9] returns the whole history in pages of any limit, and only the last is empty', async () => {
  expect(messages).toHaveLength(10);
  expect(whole).toHaveLength(11);
  for (let limit = 1; limit <= messages.length + 1; limit++) {
    let read: Item[] = [];
    for (let page: { limit: number; before?: string } = { limit }; ; ) {
      const { items, next_before } = await kernel.client.listItems(chat, page);
      if (items.length === 0) {
        expect(next_before).toBeNull();
        break;
      }
      expect(new Set(items.map(messageOf)).size).toBeLessThanOrEqual(limit);
      expect(next_before).toBe(items[0]?.id);
      read = [...items, ...read];
      page = { limit, before: next_before as string };
    }
    expect(read).toEqual(whole);
  }
});

test('[ITEM-9] limits the number of messages, including messages without items', async () => {
  for (let limit = 1; limit <= messages.length; limit++) {
    const { items } = await kernel.client.listItems(chat, { limit });
    const counted = messages.slice(-limit);
    expect(items).toEqual(whole.filter(item => counted.includes(messageOf(item))));
  }
});

test('[ITEM-7] returns a call with its result on any page', async () => {
  for (const [index, item] of whole.entries()) {
    if (index === 0) continue;
    const { items } = await kernel.client.listItems(chat, { limit: 1, before: item.id });
    for (const call of items) expect(call).toEqual(whole.find(other => other.id === call.id));
  }
  const found = whole.filter(item => item.kind === 'tool_call');
  expect(found.map(call => [call.call_id, call.status, call.is_error])).toEqual([
    ['call_1', 'completed', false],
    ['call_2', 'failed', true],
    ['call_3', 'completed', false],
  ]);
});

test('[ITEM-9] returns only earlier items of the same message before an item inside a message', async () => {
  for (const [index, item] of whole.entries()) {
    const { items, next_before } = await kernel.client.listItems(chat, { limit: 500, before: item.id });
    expect(items).toEqual(whole.slice(0, index));
    expect(next_before).toBe(index === 0 ? null : whole[0]?.id);
  }
  const inside = whole.findIndex(item => item.id.endsWith(':2'));
  const { items } = await kernel.client.listItems(chat, { limit: 1, before: whole[inside]?.id as string });
  expect(items).toEqual(whole.slice(inside - 2, inside));
});

test('[ITEM-9] returns one empty page for a chat without messages', async () => {
  const chat = await kernel.client.createChat();
  const body = await kernel.client.listItems(chat.id);
  expect(body).toEqual({ items: [], next_before: null });
});
