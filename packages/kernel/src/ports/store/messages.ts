/** Defines the stored messages of chats, in the order of their positions. */
import type { Summary } from '@chat-kernel/protocol';
import type { ChatChanges, ChatRef } from './chats.ts';
import type { StoredMessage } from './stored-message.ts';

export interface MessageRange {
  limit: number;
  /** Only messages before this position; of those the newest `limit`. */
  before?: number;
}

/** The outcome of a rewind. */
export interface Rewound {
  deleted: number;
  /** The deleted messages in which the model calls something, oldest first. */
  with_calls: StoredMessage[];
}

/** The messages that a rewind or a retry takes out of a chat without deleting them (EDIT-1). */
export interface LeavingVersion {
  /** The id of the version, which is that of its first message. */
  id: string;
  /** The summary of the chat when they leave it. */
  summary: Summary | null;
}

/** A range of a history in the order shown to users, with waiting messages last. */
export interface ShownRange {
  limit: number;
  /** Only messages before this one; of those the newest `limit`. */
  before?: StoredMessage;
}

export interface MessageStore {
  /** Returns a message of the chat, with or without a position. */
  get(chatId: string, id: string): Promise<StoredMessage | undefined>;
  /** Messages with a position, oldest first. */
  list(chatId: string, range: MessageRange): Promise<StoredMessage[]>;
  /** Messages with a position, oldest first, then the waiting ones in the order of their turns (WAIT-2). */
  listShown(chatId: string, range: ShownRange): Promise<StoredMessage[]>;
  /** The messages that wait with their turns, in the order of these. */
  listWaiting(chatId: string): Promise<StoredMessage[]>;
  /** Messages from this position on (inclusive), oldest first, at most `limit`. */
  listFrom(chatId: string, position: number, limit?: number): Promise<StoredMessage[]>;
  /** Messages of a turn with a position, oldest first; its user message comes first if it is still waiting. */
  listOfTurn(chatId: string, turnId: string): Promise<StoredMessage[]>;
  /** The newest compaction marker before a position. */
  findCompaction(chatId: string, before: number): Promise<StoredMessage | undefined>;
  /**
   * Deletes the message at this position, all later ones with a position, and the versions that begin behind it, and
   * changes the chat in the same write.
   * @param keep makes a version of the messages instead of deleting them
   */
  rewind(chat: ChatRef, position: number, changes?: ChatChanges, keep?: LeavingVersion): Promise<Rewound>;
}
