/** Provides the owner's chats to tools: the texts of their messages, without the work of tools (MEM-3). */
import {
  fromPerson,
  isId,
  isOfMaster,
  oneLine,
  quotedName,
  type Store,
  type StoredBlock,
  type StoredMessage,
} from '@chat-kernel/kernel';
import { cutText, cutWithCount } from '@chat-kernel/text';

/** The longest text of a message that is read, in characters. */
const MAX_CHARS = 2000;
/** Extra messages to search for: hits that are queued, or belong to this turn, are left out. */
const SPARE = 20;

type PastStore = Pick<Store, 'chats' | 'messages' | 'search' | 'turns'>;

interface PastHit {
  chat_id: string;
  /** The title of the chat. */
  title: string | null;
  message_id: string;
  at: string;
  /** The assistant, the owner, or the name of another sender in quotes. */
  who: string;
  /** The name of a sender who is not the owner. */
  sender: string | undefined;
  /** A line around the matching words. */
  snippet: string;
  /** The turn that the message belongs to. */
  turn_id: string | null;
}

interface PastMessages {
  title: string | null;
  /** The messages, the oldest first. */
  messages: {
    id: string;
    at: string;
    who: string;
    sender: string | undefined;
    text: string;
    turn_id: string | null;
  }[];
  /** Whether there are messages before these, and after them. */
  earlier: boolean;
  later: boolean;
}

export class PastChats {
  readonly #store: PastStore;

  constructor(store: PastStore) {
    this.#store = store;
  }

  /**
   * Finds messages that contain all words, the newest first. Excludes queued messages, because no model has received
   * them (WAIT-3).
   * @param turnId of the calling turn, whose own messages, such as the question itself, are excluded
   */
  async search(query: string, limit: number, turnId: string): Promise<PastHit[]> {
    const { chats, messages, search } = this.#store;
    const found = await search.messages(query, limit + SPARE);
    const hits: PastHit[] = [];
    for (const { chat_id, message_id, snippet } of found.filter(({ waiting }) => !waiting)) {
      if (hits.length === limit) break;
      const [chat, message] = await Promise.all([chats.get(chat_id), messages.get(chat_id, message_id)]);
      // Either may have been deleted since, and a message that gets its position only now has its own turn.
      if (chat === undefined || message === undefined || message.position === null) continue;
      if (message.turn_id === turnId) continue;
      const { turn_id } = message;
      hits.push({ chat_id, title: formatTitle(chat), message_id, ...spokenBy(message), snippet, turn_id });
    }
    return hits;
  }

  /** Where words in messages came from that the owner did not write: what their turns had read (CONSENT-4). */
  async outside(
    messages: readonly { chat_id: string; turn_id: string | null; sender: string | undefined }[],
  ): Promise<string[]> {
    const sources = new Set(
      messages.flatMap(({ sender }) => (sender === undefined ? [] : [fromPerson(sender)])),
    );
    const turns = new Map(messages.map(({ chat_id, turn_id }) => [turn_id, chat_id]));
    for (const [turn_id, chat_id] of turns) {
      const turn = turn_id === null ? undefined : await this.#store.turns.getNamed(chat_id, turn_id);
      for (const source of turn?.outside ?? []) sources.add(source);
    }
    return [...sources];
  }

  /** @throws Error a sentence for the model: there is no such chat or message */
  async read(
    chatId: string,
    { message_id, limit }: { message_id?: string | undefined; limit: number },
  ): Promise<PastMessages> {
    const store = this.#store;
    const chat = isId(chatId) ? await store.chats.get(chatId) : undefined;
    if (chat === undefined) throw new Error(`there is no chat ${cutText(chatId, 100)}`);
    const [last] = await store.messages.list(chatId, { limit: 1 });
    const end = last?.position ?? 0;
    const middle = message_id === undefined ? end : await findPosition(chatId, message_id, store);
    // Read as many messages before a message in the middle as after it.
    const until = message_id === undefined ? end : Math.min(end, middle + Math.floor(limit / 2));
    return { title: formatTitle(chat), ...(await saidUpTo(chatId, until, limit, store)), later: until < end };
  }
}

async function findPosition(chatId: string, id: string, { messages }: PastStore): Promise<number> {
  const position = isId(id) ? (await messages.get(chatId, id))?.position : undefined;
  if (position == null) throw new Error(`there is no message ${cutText(id, 100)} in this chat`);
  return position;
}

/** Returns the last messages with text, up to a position. */
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
      const text = messageText(message);
      if (text === '') continue;
      if (said.length === limit) return { messages: said.reverse(), earlier: true };
      said.push({ id: message.id, ...spokenBy(message), text, turn_id: message.turn_id });
    }
  }
  return { messages: said.reverse(), earlier: false };
}

const formatTitle = ({ title }: { title: string | null }): string | null => title && oneLine(title);

function spokenBy(message: StoredMessage): { at: string; who: string; sender: string | undefined } {
  const at = message.created_at;
  if (message.role === 'assistant') return { at, who: 'assistant', sender: undefined };
  if (isOfMaster(message)) return { at, who: 'owner', sender: undefined };
  const { sender = '' } = message;
  return { at, who: quotedName(sender), sender };
}

function messageText({ content }: StoredMessage): string {
  const text = content
    .filter(isSaid)
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join('\n\n');
  return cutWithCount(text, MAX_CHARS, '\n');
}

const isSaid = (block: StoredBlock): block is Extract<StoredBlock, { type: 'text' | 'quote' }> =>
  (block.type === 'text' || block.type === 'quote') &&
  block.internal?.note === undefined &&
  block.internal?.compaction === undefined;
