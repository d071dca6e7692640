/** Reads pages of history backwards from its end (MSG-2, ITEM-9). */
import {
  type Item,
  type ItemPage,
  KernelError,
  type MessagePage,
  type VersionMark,
} from '@chat-kernel/protocol';
import { checkCursor, itemCursor } from '../base/ids.ts';
import { itemsOfMessage, type ToolResult } from '../items/to-items.ts';
import type { NewMessage, Store, StoredMessage } from '../ports/index.ts';
import { publicMessage, withImages } from './view.ts';

export interface PageRequest {
  limit: number;
  /** A message id, or for items an item id. */
  before?: string;
}

/**
 * @param unstored messages that wait for the store to be available again; they come last
 * @throws KernelError malformed_cursor, unknown_cursor
 */
export async function messagePage(
  store: Pick<Store, 'images' | 'messages' | 'versions'>,
  chatId: string,
  page: PageRequest,
  unstored: readonly NewMessage[],
): Promise<MessagePage> {
  let before: StoredMessage | undefined;
  if (page.before !== undefined) {
    checkCursor(page.before, 'a message id');
    before = await cursorMessage(store, chatId, page.before);
  }
  const stored = await store.messages.listShown(chatId, {
    limit: page.limit,
    ...(before !== undefined && { before }),
  });
  const messages = before === undefined ? withUnstored(stored, unstored) : stored;
  const marks = await versionMarks(chatId, stored, store);
  return {
    messages: await Promise.all(
      messages.map(async message => publicMessage(await withImages(message, store), marks.get(message.id))),
    ),
    next_before: messages[0]?.id ?? null,
  };
}

/**
 * The end of a history, with messages that are not stored yet before those that wait for their turn. Such a message may
 * have been stored since it was read.
 */
function withUnstored(stored: StoredMessage[], unstored: readonly NewMessage[]): StoredMessage[] {
  const ids = new Set(stored.map(({ id }) => id));
  const missing = unstored.filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return stored;
  const waiting = stored.findIndex(({ position }) => position === null);
  const at = waiting === -1 ? stored.length : waiting;
  const last = stored[at - 1]?.position ?? 0;
  const placed = missing.map((message, index) => ({ ...message, position: last + 1 + index }));
  return [...stored.slice(0, at), ...placed, ...stored.slice(at)];
}

/**
 * The items of up to `limit` messages. If those have no items, older messages are read, so that a page is empty only at
 * the start of history.
 * @param runningTurn the turn whose unanswered calls still run
 * @param unstored see `messagePage`
 * @throws KernelError malformed_cursor, unknown_cursor
 */
export async function itemPage(
  store: Pick<Store, 'images' | 'messages' | 'versions'>,
  chatId: string,
  page: PageRequest,
  runningTurn: string | null,
  unstored: readonly NewMessage[],
): Promise<ItemPage> {
  let items: Item[] = [];
  let before: StoredMessage | undefined;
  if (page.before !== undefined) {
    const { message_id, n } = itemCursor(page.before);
    const message = await cursorMessage(store, chatId, message_id);
    before = message;
    // Items of the same message with a smaller n are older than the cursor; they are part of the next page.
    const own = await buildItems(store, chatId, [message], runningTurn);
    if (n >= own.length) throw unknownCursor(page.before);
    items = own.slice(0, n);
  }
  let limit = items.length > 0 ? page.limit - 1 : page.limit;
  while (limit > 0) {
    const stored = await store.messages.listShown(chatId, {
      limit,
      ...(before !== undefined && { before }),
    });
    const messages = before === undefined ? withUnstored(stored, unstored) : stored;
    if (messages.length === 0) break;
    items = [...(await buildItems(store, chatId, messages, runningTurn)), ...items];
    before = messages[0];
    if (items.length > 0) break;
    limit = page.limit;
  }
  return { items, next_before: items[0]?.id ?? null };
}

/** The items of adjacent messages. The result of a call is found even if it comes after the last of them (ITEM-7). */
async function buildItems(
  store: Pick<Store, 'images' | 'messages' | 'versions'>,
  chatId: string,
  messages: StoredMessage[],
  runningTurn: string | null,
): Promise<Item[]> {
  const results = await resultsFor(store, chatId, messages);
  const marks = await versionMarks(chatId, messages, store);
  const shown = await Promise.all(messages.map(message => withImages(message, store)));
  return shown.flatMap(message =>
    itemsOfMessage(message, id => results.get(id), runningTurn, marks.get(message.id)),
  );
}

/** The results of the calls in adjacent messages, by the ids of the calls. */
export async function resultsFor(
  store: Pick<Store, 'messages'>,
  chatId: string,
  messages: readonly StoredMessage[],
): Promise<Map<string, ToolResult>> {
  // Waiting messages come after everything that a turn has written.
  const last = messages.findLast(({ position }) => position !== null);
  const open = last?.role === 'assistant' && last.content.some(block => block.type === 'tool_use');
  // A question of the kernel may come between calls and their results, so two messages are read.
  const behind = open ? await store.messages.listFrom(chatId, (last.position as number) + 1, 2) : [];
  const results = new Map<string, ToolResult>();
  for (const { content } of [...messages, ...behind]) {
    for (const block of content) if (block.type === 'tool_result') results.set(block.tool_use_id, block);
  }
  return results;
}

async function cursorMessage(
  store: Pick<Store, 'messages'>,
  chatId: string,
  id: string,
): Promise<StoredMessage> {
  const message = await store.messages.get(chatId, id);
  if (message === undefined) throw unknownCursor(id);
  return message;
}

const unknownCursor = (cursor: string) =>
  new KernelError('unknown_cursor', `before: ${cursor} is not in this chat.`);

/** The marks of those adjacent messages at which other versions begin, by the ids of the messages. */
async function versionMarks(
  chatId: string,
  messages: readonly StoredMessage[],
  { versions }: Pick<Store, 'versions'>,
): Promise<Map<string, VersionMark>> {
  const placed = messages.filter(({ position }) => position !== null);
  const marks = new Map<string, VersionMark>();
  if (placed.length === 0) return marks;
  const [from, to] = [placed[0]?.position as number, placed.at(-1)?.position as number];
  const others = Map.groupBy(await versions.listAt(chatId, from, to), ({ position }) => position);
  for (const { id, position } of placed) {
    const here = others.get(position as number);
    if (here === undefined) continue;
    // A retry may have moved the message since it was read.
    const ids = [...new Set([id, ...here.map(each => each.id)])].sort();
    if (ids.length > 1) marks.set(id, { index: ids.indexOf(id) + 1, count: ids.length, ids });
  }
  return marks;
}
