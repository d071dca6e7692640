/** Tests how stored history is read: pages of items, single messages and exports. */
import type { CreateChat } from '@chat-kernel/protocol';
import { openStore } from '@chat-kernel/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { newMessage } from '../../storage/test/records.ts';
import { exported } from '../src/archive/export.ts';
import { newChat } from '../src/chats/chats.ts';
import { itemPage } from '../src/history/pages.ts';
import { publicMessage } from '../src/history/view.ts';
import type { ChatRecord, NewMessage, Store, StoredBlock } from '../src/index.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
let directory: ReturnType<typeof temporaryDirectory>;
let store: Store;
let chat: ChatRecord;

beforeEach(async () => {
  directory = temporaryDirectory();
  store = await openStore({ data_dir: directory.path, url: null, log, clock: new ManualClock() });
  chat = newChat({} as CreateChat, { now: '2026-01-01T00:00:00.000Z', home: null });
  await store.chats.create(chat);
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

const text = (written: string): StoredBlock => ({ type: 'text', text: written });
const compaction: StoredBlock = {
  ...text(''),
  internal: { compaction: { text: 'Much.', upto_message: 'm' } },
} as StoredBlock;
/** Stores messages of one turn, each with these blocks. */
async function write(...contents: StoredBlock[][]): Promise<string[]> {
  const append = contents.map(content => newMessage(chat.id, { role: 'assistant', turn_id: 't', content }));
  await store.chats.write({ chat_id: chat.id, append });
  return append.map(({ id }) => id);
}
const exportOf = (format: 'jsonl' | 'md') =>
  Array.fromAsync(exported(chat, format, store, { runningTurn: null, address: 'http://k' }));

it('begins a chat with nothing', () => {
  expect(chat).toMatchObject({
    plan: [],
    notebook: '',
    notebook_at: null,
    prefix_tokens: 0,
    context_tokens: 0,
  });
  expect(chat).toMatchObject({ summary: null, home: null, hands: null, workdir: null, workdir_on: 'client' });
});

it('[ITEM-9] pages back from the middle of a message, which counts as one of the messages of the page', async () => {
  const [, b, c] = await write([text('a')], [text('b')], [text('c1'), text('c2'), text('c3')]);
  const page = async (limit: number, before: string) => {
    const { items, next_before } = await itemPage(store, chat.id, { limit, before }, null, []);
    return [items.map(item => 'text' in item && item.text), next_before];
  };
  expect(await page(1, `${c}:2`)).toEqual([['c1', 'c2'], `${c}:0`]);
  expect(await page(2, `${c}:2`)).toEqual([['b', 'c1', 'c2'], `${b}:0`]);
  expect(await page(1, `${c}:0`)).toEqual([['b'], `${b}:0`]);
  await expect(page(1, `${c}:3`)).rejects.toMatchObject({ code: 'unknown_cursor' });
  await expect(page(1, 'x'.repeat(200))).rejects.toThrow(
    `before: expected the id of a stored item, {message_id}:{n}, got "${'x'.repeat(100)}".`,
  );
});

it('exports in pieces of at least 64 KiB, so that a long history needs few', async () => {
  await write(...Array.from({ length: 20 }, (): StoredBlock[] => [text('x'.repeat(10_000))]));
  for (const format of ['jsonl', 'md'] as const) {
    const pieces = await exportOf(format);
    expect(pieces.length).toBeLessThan(5);
    for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeGreaterThanOrEqual(64 * 1024);
  }
});

it('begins a new heading of the assistant after a compaction in the middle of its turn', async () => {
  await write([text('a')], [text('b')], [compaction], [text('c')]);
  const [, ...read] = (await exportOf('md')).join('').split('\n\n');
  expect(read.map(line => line.replace(/ · .*/, ''))).toEqual([
    `Chat ${chat.id}, created 2026-01-01 00:00:00 UTC.`,
    ...['## Assistant', 'a', 'b', '---', '*Conversation compacted*', '## Assistant', 'c', ''],
  ]);
});

it('shows as the kernel only what it wrote itself', () => {
  const context: StoredBlock = { type: 'context', text: 'The plan.' };
  const isOfKernel = (fields: Partial<NewMessage>) =>
    'kernel' in publicMessage({ ...newMessage('c', fields), position: 1 });
  expect(isOfKernel({ content: [context] })).toBe(true);
  expect(isOfKernel({ content: [context, text('Hi.')] })).toBe(false);
  expect(isOfKernel({ content: [] })).toBe(false);
  // A module can take away all that a person said.
  expect(isOfKernel({ content: [context], sender: 'Ann' })).toBe(false);
  expect(isOfKernel({ content: [context], role: 'assistant' })).toBe(false);
});
