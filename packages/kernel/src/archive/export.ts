/** Exports a whole chat as text, including compacted history, in pieces of limited size. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Item } from '@chat-kernel/protocol';
import { SLICE } from '../base/slices.ts';
import { publicChat } from '../events/public-chat.ts';
import { resultsFor } from '../history/pages.ts';
import { withImages } from '../history/view.ts';
import { itemsOfMessage, type ToolResult } from '../items/to-items.ts';
import type { ChatRecord, ListedVersion, Store, StoredMessage } from '../ports/index.ts';
import { markdownHead, renderItemMarkdown } from './markdown.ts';

/** The formats: `jsonl` has the chat, then one item per line in the form of GET items; `md` is for people. */
export type ExportFormat = 'jsonl' | 'md';

/** Messages after a slice in which the results of its last calls are. */
const BEHIND = 2;

/** The approximate number of characters of a piece. */
const PIECE_CHARS = 64 * 1024;

/**
 * The history at the time when the export begins. Throws if it is cut while it is read: a partial history must not look
 * complete.
 * @param runningTurn the turn whose unanswered calls still run
 * @param address the prefix of links to images and files, such as `http://127.0.0.1:8787`
 */
export async function* exported(
  chat: ChatRecord,
  format: ExportFormat,
  store: Pick<Store, 'images' | 'messages' | 'spend' | 'versions'>,
  { runningTurn, address }: { runningTurn: string | null; address: string },
): AsyncGenerator<string> {
  let piece = format === 'md' ? markdownHead(chat) : `${JSON.stringify(await chatRecord(chat, store))}\n`;
  let before: Item | undefined;
  const versions = format === 'jsonl' ? await store.versions.list(chat.id) : [];
  for await (const { message, items } of wholeHistory(chat.id, store, format === 'jsonl', runningTurn)) {
    for (const item of items) {
      piece +=
        format === 'md' ? renderItemMarkdown(item, message, before, address) : `${JSON.stringify(item)}\n`;
      before = item;
    }
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (format === 'jsonl') {
    for await (const { version, items } of wholeVersions(chat.id, versions, store)) {
      for (const item of items) piece += `${JSON.stringify({ ...item, version })}\n`;
      if (piece.length < PIECE_CHARS) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

const changedDuring = (chatId: string) =>
  new Error(`the history of chat ${chatId} was changed during the export`);

/** The messages of the versions that are not the present of the chat, each with the id of its version (EDIT-4). */
async function* wholeVersions(
  chatId: string,
  versions: readonly Pick<ListedVersion, 'id' | 'messages' | 'position'>[],
  store: Pick<Store, 'images' | 'messages' | 'versions'>,
): AsyncGenerator<{ version: string; items: Item[] }> {
  for (const { id, position, messages: count } of versions) {
    for (let next = position; next < position + count; ) {
      const messages = await store.versions.messages(chatId, id, next, SLICE);
      const last = messages.at(-1);
      if (last === undefined) throw changedDuring(chatId);
      next = (last.position as number) + 1;
      const behind = await store.versions.messages(chatId, id, next, BEHIND);
      const results = new Map<string, ToolResult>();
      for (const { content } of [...messages, ...behind])
        for (const block of content) if (block.type === 'tool_result') results.set(block.tool_use_id, block);
      for (const message of messages) {
        const shown = await withImages(message, store);
        yield { version: id, items: itemsOfMessage(shown, call => results.get(call), null) };
      }
      await nextTick();
    }
  }
}

async function* wholeHistory(
  chatId: string,
  store: Pick<Store, 'images' | 'messages'>,
  images: boolean,
  runningTurn: string | null,
): AsyncGenerator<{ message: StoredMessage; items: Item[] }> {
  // Read before the end is known, so that a message whose turn begins during the export is in one of the two, or in
  // both.
  const waiting = new Map((await store.messages.listWaiting(chatId)).map(message => [message.id, message]));
  const [last] = await store.messages.list(chatId, { limit: 1 });
  const end = last?.position ?? 0;
  for (let next = 1; next <= end; ) {
    const messages = await store.messages.listFrom(chatId, next, Math.min(SLICE, end - next + 1));
    if (messages.length === 0) throw changedDuring(chatId);
    const results = await resultsFor(store, chatId, messages);
    for (const message of messages) {
      waiting.delete(message.id);
      yield shownWith(message, results);
    }
    next = (messages.at(-1)?.position as number) + 1;
    // Let the event loop run: a database in this process answers without a pause, and so does a fast reader.
    await nextTick();
  }
  // Other messages may have taken the positions of the last ones.
  if (last && (await store.messages.get(chatId, last.id))?.position !== end) throw changedDuring(chatId);
  for (const message of waiting.values()) yield shownWith(message, new Map());

  async function shownWith(message: StoredMessage, results: ReadonlyMap<string, ToolResult>) {
    // Images are loaded message by message: those of a whole batch could exceed the memory.
    const shown = images ? await withImages(message, store) : message;
    return { message, items: itemsOfMessage(shown, id => results.get(id), runningTurn) };
  }
}

interface FoldRecord {
  /** The id of the message that marks the compaction. */
  message_id: string;
  text: string;
  upto_message: string;
}

/**
 * The first line of an export, which has a `kind` like the items after it: the chat itself, with everything that items
 * lack, so that an import can recreate it.
 */
async function chatRecord(chat: ChatRecord, store: Pick<Store, 'messages' | 'spend'>): Promise<object> {
  const { turn: _, ...shown } = publicChat(chat, null);
  const usage = await store.spend.list(chat.id);
  return { kind: 'chat', ...shown, usage, folds: await listFolds(chat.id, store) };
}

/** All compactions, oldest first. */
async function listFolds(chatId: string, store: Pick<Store, 'messages'>): Promise<FoldRecord[]> {
  const folds: FoldRecord[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const marker = await store.messages.findCompaction(chatId, before);
    if (marker === undefined) return folds.reverse();
    const fold = marker.content.find(block => block.internal?.compaction)?.internal?.compaction;
    if (fold) folds.push({ message_id: marker.id, ...fold });
    before = marker.position as number;
  }
}
