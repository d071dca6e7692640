/** Search and reading over the owner's chats, for the tools of a turn (MEM-3). */
import { cutText } from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { oneLine, quotedName } from '../base/one-line.ts';
import type { PastChats, PastHit, PastMessages, Store, StoredBlock, StoredMessage } from '../ports/index.ts';

/** The longest text of a message that is read, in characters. */
const MAX_CHARS = 2000;
/** Found messages that wait with their turns, or are of this one, are left out, so a few more are looked for. */
const SPARE = 20;

type PastStore = Pick<Store, 'chats' | 'messages' | 'search'>;

/** @param turnId of the turn that asks: what is said in it, such as the question itself, is not found */
export const pastChatsOf = (store: PastStore, turnId: string): PastChats => ({
  async search(query, limit) {
    const found = await store.search.messages(query, limit + SPARE);
    const hits: PastHit[] = [];
    for (const { chat_id, message_id, snippet } of found.filter(({ waiting }) => !waiting)) {
      if (hits.length === limit) break;
      const [chat, message] = await Promise.all([
        store.chats.get(chat_id),
        store.messages.get(chat_id, message_id),
      ]);
      // Either may have been deleted since, and a message that is placed only now has a turn of its own.
      if (chat === undefined || message === undefined || message.position === null) continue;
      if (message.turn_id === turnId) continue;
      hits.push({ chat_id, title: titleOf(chat), message_id, ...spokenBy(message), snippet });
    }
    return hits;
  },

  async read(chatId, { message_id, limit }) {
    const chat = isId(chatId) ? await store.chats.get(chatId) : undefined;
    if (chat === undefined) throw new Error(`there is no chat ${cutText(chatId, 100)}`);
    const [last] = await store.messages.list(chatId, { limit: 1 });
    const end = last?.position ?? 0;
    const middle = message_id === undefined ? end : await positionOf(chatId, message_id, store);
    // Of a message in the middle, as much is read before it as behind it.
    const until = message_id === undefined ? end : Math.min(end, middle + Math.floor(limit / 2));
    return { title: titleOf(chat), ...(await saidUpTo(chatId, until, limit, store)), later: until < end };
  },
});

async function positionOf(chatId: string, id: string, { messages }: PastStore): Promise<number> {
  const position = isId(id) ? (await messages.get(chatId, id))?.position : undefined;
  if (position == null) throw new Error(`there is no message ${cutText(id, 100)} in this chat`);
  return position;
}

/** The last messages up to a position in which anybody says something. */
async function saidUpTo(
  chatId: string,
  until: number,
  limit: number,
  store: PastStore,
): Promise<Pick<PastMessages, 'messages' | 'earlier'>> {
  const said: PastMessages['messages'] = [];
  for (let before = until + 1; before > 1; ) {
    const page = await store.messages.list(chatId, { limit, before });
    if (page.length === 0) break;
    before = page[0]?.position as number;
    for (const message of page.toReversed()) {
      const text = wordsOf(message);
      if (text === '') continue;
      if (said.length === limit) return { messages: said.reverse(), earlier: true };
      said.push({ id: message.id, ...spokenBy(message), text });
    }
  }
  return { messages: said.reverse(), earlier: false };
}

const titleOf = ({ title }: { title: string | null }): string | null => title && oneLine(title);

const spokenBy = ({ role, sender, created_at }: StoredMessage): { at: string; who: string } => ({
  at: created_at,
  who: role === 'assistant' ? 'assistant' : sender === undefined ? 'owner' : quotedName(sender),
});

function wordsOf({ content }: StoredMessage): string {
  const text = content
    .filter(isSaid)
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join('\n\n');
  const shown = cutText(text, MAX_CHARS);
  return shown === text ? text : `${shown}\n[${text.length - shown.length} more characters]`;
}

const isSaid = (block: StoredBlock): block is Extract<StoredBlock, { type: 'text' | 'quote' }> =>
  (block.type === 'text' || block.type === 'quote') &&
  block.internal?.note === undefined &&
  block.internal?.compaction === undefined;
