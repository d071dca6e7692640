/** Messages of chats, in the order of their positions. */
import type { ChatChanges } from './chats.ts';
import type { StoredMessage } from './stored-message.ts';

export interface MessageRange {
  limit: number;
  /** Only messages that stand before this position; of those the newest `limit`. */
  before?: number;
}

/** The outcome of a rewind. */
export interface Rewound {
  deleted: number;
  /** The deleted messages in which the model calls something, oldest first. */
  with_calls: StoredMessage[];
}

/** A range of a history as people see it, where waiting messages stand last. */
export interface ShownRange {
  limit: number;
  /** Only messages that stand before this one; of those the newest `limit`. */
  before?: StoredMessage;
}

export interface MessageStore {
  /** Returns a message of the chat, placed or waiting. */
  get(chatId: string, id: string): Promise<StoredMessage | undefined>;
  /** Placed messages, oldest first. */
  list(chatId: string, range: MessageRange): Promise<StoredMessage[]>;
  /** Placed messages, oldest first, and behind them those that wait, in the order of their turns (WAIT-2). */
  listShown(chatId: string, range: ShownRange): Promise<StoredMessage[]>;
  /** The messages that wait with their turns, in the order of these. */
  listWaiting(chatId: string): Promise<StoredMessage[]>;
  /** Placed messages from this position on (inclusive), oldest first, at most `limit`. */
  listFrom(chatId: string, position: number, limit?: number): Promise<StoredMessage[]>;
  /** Placed messages of a turn, oldest first; its user message comes first where that still waits. */
  listOfTurn(chatId: string, turnId: string): Promise<StoredMessage[]>;
  /** The newest compaction marker placed before a position. */
  findCompaction(chatId: string, before: number): Promise<StoredMessage | undefined>;
  /** Deletes the message at this position and every placed one after it, and changes the chat with them. */
  rewind(chatId: string, position: number, changes?: ChatChanges, epoch?: number): Promise<Rewound>;
}
