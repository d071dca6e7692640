/** A whole chat as a text that can be kept: all of its history, also what was folded, in pieces of bounded size. */
import type { Item } from '@chat-kernel/protocol';
import { resultsFor } from '../history/pages.ts';
import { withImages } from '../history/view.ts';
import { itemsOfMessage, type ToolResult } from '../items/to-items.ts';
import type { ChatRecord, Store, StoredMessage } from '../ports/index.ts';
import { chatRecord } from './chat-record.ts';
import { markdownHead, markdownOf } from './markdown.ts';

/** The formats: `jsonl` has the chat, then one item a line, as GET items has them, and `md` is for people. */
export type ExportFormat = 'jsonl' | 'md';

/** The messages that are read at once, and about how many characters make a piece. */
const BATCH = 100;
const PIECE_CHARS = 64 * 1024;

/**
 * The history as it is when the export begins. Throws where it is cut while it is read: half of a history must not
 * look whole.
 * @param runningTurn the turn whose unanswered calls still run
 * @param address the beginning of links to images and files, such as `http://127.0.0.1:8787`
 */
export async function* exported(
  chat: ChatRecord,
  format: ExportFormat,
  store: Pick<Store, 'images' | 'messages' | 'spend'>,
  { runningTurn, address }: { runningTurn: string | null; address: string },
): AsyncGenerator<string> {
  let piece = format === 'md' ? markdownHead(chat) : `${JSON.stringify(await chatRecord(chat, store))}\n`;
  let before: Item | undefined;
  for await (const { message, items } of wholeHistory(chat.id, store, format === 'jsonl', runningTurn)) {
    for (const item of items) {
      piece += format === 'md' ? markdownOf(item, message, before, address) : `${JSON.stringify(item)}\n`;
      before = item;
    }
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

async function* wholeHistory(
  chatId: string,
  store: Pick<Store, 'images' | 'messages'>,
  images: boolean,
  runningTurn: string | null,
): AsyncGenerator<{ message: StoredMessage; items: Item[] }> {
  // Read before the end is known, so that a message whose turn begins meanwhile is in one of the two, or in both.
  const waiting = new Map((await store.messages.listWaiting(chatId)).map(message => [message.id, message]));
  const [last] = await store.messages.list(chatId, { limit: 1 });
  const end = last?.position ?? 0;
  for (let next = 1; next <= end; ) {
    const messages = await store.messages.listFrom(chatId, next, Math.min(BATCH, end - next + 1));
    if (messages.length === 0) throw new Error(`chat ${chatId} was cut while it was exported`);
    const results = await resultsFor(store, chatId, messages);
    for (const message of messages) {
      waiting.delete(message.id);
      yield shownWith(message, results);
    }
    next = (messages.at(-1)?.position as number) + 1;
  }
  for (const message of waiting.values()) yield shownWith(message, new Map());

  async function shownWith(message: StoredMessage, results: ReadonlyMap<string, ToolResult>) {
    // Images are loaded message by message: all those of a batch could be more than memory holds.
    const shown = images ? await withImages(message, store) : message;
    return { message, items: itemsOfMessage(shown, id => results.get(id), runningTurn) };
  }
}
