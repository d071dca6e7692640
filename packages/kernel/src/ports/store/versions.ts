/** Defines the stored versions of chats: messages that are not in the present of their chat (EDIT-2). */
import type { ChatRef } from './chats.ts';
import type { StoredMessage } from './stored-message.ts';

/** A version that is not the present of its chat. */
export interface VersionRecord {
  /** The id of its first message. */
  id: string;
  /** The version in which its place is; null: the place is in the present of the chat. */
  inside: string | null;
  /** The position of its first message. */
  position: number;
}

export interface ListedVersion extends VersionRecord {
  first: StoredMessage;
  /** The number of its messages. */
  messages: number;
  /** The model of its first turn. */
  model: string | null;
}

export interface VersionStore {
  /** The versions of a chat that are not its present, oldest first. */
  list(chatId: string): Promise<ListedVersion[]>;
  /** Those whose place is in the present, at a position in this range (both inclusive), oldest first. */
  listAt(chatId: string, from: number, to: number): Promise<VersionRecord[]>;
  /** The messages of a version from a position on, oldest first, at most `limit`. */
  messages(chatId: string, versionId: string, position: number, limit: number): Promise<StoredMessage[]>;
  /**
   * Makes a version the present of its chat, and the present content of its place a version. Resolves with the id of the
   * first message that changed; null if the version is the present already, and undefined if there is no such version.
   * @param now RFC 3339
   */
  activate(chat: ChatRef, versionId: string, now: string): Promise<string | null | undefined>;
}
