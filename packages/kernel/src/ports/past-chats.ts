/** The owner's chats as tools see them: what was said in them, without what tools did (MEM-3). */

export interface PastHit {
  chat_id: string;
  /** Of the chat. */
  title: string | null;
  message_id: string;
  at: string;
  /** The assistant, the owner, or the name of somebody else in quotes. */
  who: string;
  /** A line around the words that were found. */
  snippet: string;
}

export interface PastMessages {
  title: string | null;
  /** The oldest first. */
  messages: { id: string; at: string; who: string; text: string }[];
  /** Whether there are messages before these, and behind them. */
  earlier: boolean;
  later: boolean;
}

export interface PastChats {
  /** Messages that have all words, the newest first. Messages that wait are not found: no model is sent them (WAIT-3). */
  search(query: string, limit: number): Promise<PastHit[]>;
  /** @throws Error a sentence for the model: there is no such chat or message */
  read(chatId: string, range: { message_id?: string | undefined; limit: number }): Promise<PastMessages>;
}
