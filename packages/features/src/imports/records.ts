/**
 * Defines the records of imported conversations: which of them became which chat, so that each is imported once
 * (FACE-3).
 */
import type { ChatChanges, ChatFork, ChatRecord, HeldChat, NewMessage, SpendRow } from '@chat-kernel/kernel';
import type { NewImage, Schema } from '@chat-kernel/storage';

export type ImportRecord = Schema['imports'];

/** A conversation to store, completely or not at all. */
export interface NewImport {
  record: ImportRecord;
  chat: ChatRecord;
  messages: NewMessage[];
  spend: readonly SpendRow[];
  /** The images of the chat and of its forks. */
  images: readonly NewImage[];
  /** The parent of each is the chat, or an earlier fork. Its own messages are in `closing`. */
  forks: readonly ChatFork[];
}

/** The messages added to a conversation since its import; stored completely or not at all. */
export interface ImportGrowth {
  /** The record after the change. */
  record: ImportRecord;
  /** The hash before the change. */
  before: string;
  /** The number of messages that the chat has. */
  count: number;
  changes: ChatChanges;
  messages: NewMessage[];
  spend: readonly SpendRow[];
  images: readonly NewImage[];
  held: HeldChat;
}
