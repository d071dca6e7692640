/** Conversations that came from elsewhere: which of them became which chat, so that none comes twice (FACE-3). */
import type { ChatChanges, ChatFork, ChatRecord } from './chats.ts';
import type { ImageRecord } from './images.ts';
import type { SpendRow } from './spend.ts';
import type { NewMessage } from './stored-message.ts';

export interface ImportRecord {
  /** The program that the conversation comes from. */
  source: string;
  /** Its id there. */
  key: string;
  /** A hash of all that came. */
  fingerprint: string;
  chat_id: string;
}

/** A conversation as it is stored: all of it at once, or nothing. */
export interface NewImport {
  record: ImportRecord;
  chat: ChatRecord;
  messages: NewMessage[];
  spend: readonly SpendRow[];
  /** Those of the chat, and of its forks. */
  images: readonly { record: ImageRecord; bytes: Uint8Array }[];
  /** The parent of each is the chat, or a fork before it. Its own messages stand in `closing`. */
  forks: readonly ChatFork[];
}

/** What a conversation has more than when it was imported: all of it is stored, or nothing. */
export interface ImportGrowth {
  /** As it is now. */
  record: ImportRecord;
  /** The hash of what came before. */
  before: string;
  /** How many messages the chat has. */
  count: number;
  changes: ChatChanges;
  messages: NewMessage[];
  spend: readonly SpendRow[];
  images: NewImport['images'];
  /** As in ChatWrite. */
  epoch: number | undefined;
}

export interface ImportStore {
  /** A record goes with its chat. */
  find(source: string, key: string): Promise<ImportRecord | undefined>;
  /** Returns false, and stores nothing, where the conversation has come already. */
  create(made: NewImport): Promise<boolean>;
  /** Returns false, and stores nothing, where the chat or the record is not as it was any more. */
  grow(growth: ImportGrowth): Promise<boolean>;
}
