/** Tests histories that change while they are read: a long one is read page by page. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { openStore } from '@chat-kernel/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { newChat, newMessage } from '../../storage/test/records.ts';
import { Histories } from '../src/history/histories.ts';
import type { NewMessage, Store } from '../src/index.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
let directory: ReturnType<typeof temporaryDirectory>;
let store: Store;
let histories: Histories;
let chat: string;
const texts = (messages: readonly NewMessage[]) =>
  messages.flatMap(({ content }) => content.flatMap(block => ('text' in block ? [block.text] : [])));
const message = (text: string) => newMessage(chat, { content: [{ type: 'text', text }] });

beforeEach(async () => {
  directory = temporaryDirectory();
  store = await openStore({ data_dir: directory.path, url: null, log, clock: new ManualClock() });
  histories = new Histories(store, [], () => false, 1e9);
  const record = newChat();
  chat = record.id;
  await store.chats.create(record);
  const append = Array.from({ length: 450 }, (_, n) => message(`${n}`));
  await store.chats.write({ chat_id: chat, append });
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

test('contains a message exactly once if it is stored during a long read', async () => {
  const reading = histories.load(chat);
  await nextTick();
  const added = message('added');
  await store.chats.write({ chat_id: chat, append: [added] });
  histories.append(chat, [added]);
  const { messages } = await reading;
  expect(texts(messages)).toEqual([...Array.from({ length: 450 }, (_, n) => `${n}`), 'added']);
  expect(await histories.load(chat)).toBe(await reading);
});

test('omits a message if it is rewound during a long read', async () => {
  const reading = histories.load(chat);
  await nextTick();
  await store.messages.rewind(chat, 11);
  histories.forget(chat);
  expect(texts((await reading).messages)).toEqual(Array.from({ length: 10 }, (_, n) => `${n}`));
});

test('shortens the tool outputs of a stored history that a later entry truncates', async () => {
  const output = 'x'.repeat(2000);
  const append = [
    newMessage(chat, { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 't', input: {} }] }),
    newMessage(chat, {
      content: [{ type: 'tool_result', tool_use_id: 'a', output, is_error: false }],
    }),
    newMessage(chat, { content: [{ type: 'context', text: '', internal: { squeezed: ['a'] } }] }),
  ];
  await store.chats.write({ chat_id: chat, append });
  const { messages } = await histories.load(chat);
  const result = messages.at(-2)?.content[0];
  expect(result).toMatchObject({
    type: 'tool_result',
    output: expect.stringMatching(/^\[folded to make room/),
  });
});

test('shares one history between simultaneous readers', async () => {
  const [one, other] = await Promise.all([histories.load(chat), histories.load(chat)]);
  expect(one).toBe(other);
  expect(one.messages).toHaveLength(450);
});

test('evicts the least recently used histories beyond the limit, and stops counting them', async () => {
  const { bounded, reads } = twoEmptyHistories();
  for (const id of ['a', 'b']) bounded.begin(id);
  await bounded.load('a');
  bounded.begin('c');
  bounded.forget('a');
  bounded.begin('d');
  for (const id of ['c', 'd']) await bounded.load(id);
  expect(reads()).toBe(0);
  bounded.begin('e');
  await bounded.load('d');
  expect(reads()).toBe(0);
  await bounded.load('c');
  expect(reads()).toBe(1);
});

test('counts a restarted history once', async () => {
  const { bounded, reads } = twoEmptyHistories();
  for (const id of ['a', 'b', 'b', 'b']) bounded.begin(id);
  for (const id of ['a', 'b']) await bounded.load(id);
  expect(reads()).toBe(0);
});

test('adds messages once that were read before they were added', async () => {
  const added = newMessage(chat, {});
  await histories.load(chat);
  histories.forget(chat);
  await store.chats.write({ chat_id: chat, append: [added] });
  await histories.load(chat);
  histories.append(chat, [added]);
  const { messages } = await histories.load(chat);
  expect(messages.filter(({ id }) => id === added.id)).toHaveLength(1);
});

test('changes the list of messages on a refresh only if the view of a message has changed', async () => {
  const other = message('seen in another way');
  let seen: NewMessage | undefined;
  const feature = { viewMessage: (each: NewMessage) => (texts([each])[0] === '7' ? (seen ?? each) : each) };
  const viewed = new Histories(store, [feature as never], () => false, 1e9);
  const history = await viewed.load(chat);
  const { messages } = history;
  viewed.refresh();
  expect(history.messages).toBe(messages);
  seen = other;
  viewed.refresh();
  expect(history.messages[7]).toBe(other);
});

/** A cache for two empty histories, each of which has 1000 bytes, and how often it read one from the store. */
function twoEmptyHistories() {
  let reads = 0;
  const listFrom = async () => {
    reads++;
    return [];
  };
  const counting = { chats: store.chats, messages: { ...store.messages, listFrom } };
  return { bounded: new Histories(counting, [], () => false, 2000), reads: () => reads };
}
