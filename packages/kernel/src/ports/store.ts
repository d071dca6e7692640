/**
 * The store: everything that outlives the process. Every method that writes is one transaction and has
 * reached the disk when its promise resolves. One process owns a store at a time (`open` takes a lock).
 */
import type { Readable } from 'node:stream';
import type {
  ChatRecord,
  FileRecord,
  ImageRecord,
  MessageDraft,
  NewFile,
  SpendRow,
  StoredMessage,
  TurnRecord,
} from './record.ts';

/** The columns of a chat that may change after its creation. */
export type ChatChanges = Partial<
  Omit<ChatRecord, 'id' | 'created_at' | 'forked_from' | 'forked_at_message'>
>;

/** The columns of a turn that may change after its creation. */
export type TurnChanges = Partial<
  Pick<
    TurnRecord,
    | 'status'
    | 'model'
    | 'effort'
    | 'started_at'
    | 'ended_at'
    | 'usage'
    | 'stop_reason'
    | 'error'
    | 'checkpoint'
  >
>;

/** One thing that happens to a turn, written as a whole or not at all. */
export interface TurnWrite {
  turn_id: string;
  chat_id: string;
  turn: TurnChanges;
  /** Gives the waiting user message its place at the end of the chat; comes before `append`. */
  place?: string;
  /** Messages to append to the chat, in this order. */
  append?: MessageDraft[];
  /** Added to the chat's books: one row per model. `turns` is 1 where this write ends a turn, else 0. */
  spend?: SpendRow;
  chat?: ChatChanges;
}

export interface IdempotencyKey {
  key: string;
  /** Hash of the request, so that the same key with another request can be told. */
  fingerprint: string;
  created_at: string;
}

export interface MessageRange {
  limit: number;
  /** Only messages placed before this position; the newest `limit` of them. */
  before?: number;
}

export interface ChatFilter {
  limit: number;
  /** Only chats older than this chat id. */
  before?: string;
  shelf?: string;
  project?: string;
  /** Part of the title, any case. */
  q?: string;
}

export interface Counts {
  chats: number;
  messages: number;
  turns: Record<TurnRecord['status'], number>;
}

export interface Store {
  // Chats
  createChat(chat: ChatRecord): Promise<void>;
  chat(id: string): Promise<ChatRecord | undefined>;
  /** Newest first: by id, which sorts by creation. */
  chats(filter: ChatFilter): Promise<ChatRecord[]>;
  /** Undefined where there is no such chat. */
  updateChat(id: string, changes: ChatChanges): Promise<ChatRecord | undefined>;
  /** Takes everything of the chat with it: messages, turns, books, images, and files that no other chat uses. False where there is no such chat. */
  deleteChat(id: string): Promise<boolean>;

  // Messages
  /** One placed message, or undefined. */
  message(chatId: string, id: string): Promise<StoredMessage | undefined>;
  /** Placed messages, oldest first. */
  messages(chatId: string, range: MessageRange): Promise<StoredMessage[]>;
  /** Placed messages from this position on (inclusive), oldest first, at most `limit`. */
  messagesFrom(chatId: string, position: number, limit?: number): Promise<StoredMessage[]>;
  /** Deletes the message and every placed one after it; answers those, oldest first. */
  rewind(chatId: string, position: number): Promise<StoredMessage[]>;

  // Turns
  /** Stores a turn with its user message. `place`: the message takes its place now, else it waits (position null). */
  createTurn(
    turn: TurnRecord,
    message: MessageDraft,
    options: { place: boolean; idempotency?: IdempotencyKey; chat?: ChatChanges },
  ): Promise<void>;
  writeTurn(write: TurnWrite): Promise<void>;
  turn(chatId: string, id: string): Promise<TurnRecord | undefined>;
  /** Placed messages of one turn, oldest first; its waiting user message, if it still waits, comes first. */
  turnMessages(chatId: string, turnId: string): Promise<StoredMessage[]>;
  /** Turns that are queued, sleeping or running, of all chats, in the order of their creation. */
  unfinishedTurns(): Promise<TurnRecord[]>;
  /** The turn that a key started in this chat since `notBefore` (RFC 3339), with the fingerprint of its request. */
  turnByKey(
    chatId: string,
    key: string,
    notBefore: string,
  ): Promise<{ turn: TurnRecord; fingerprint: string } | undefined>;

  // Books
  /** Per model, by model id. */
  spend(chatId: string): Promise<SpendRow[]>;
  totalSpend(): Promise<SpendRow[]>;
  counts(): Promise<Counts>;

  // Images
  saveImage(image: ImageRecord, bytes: Uint8Array): Promise<void>;
  image(id: string): Promise<(ImageRecord & { bytes: Uint8Array }) | undefined>;

  // Files. One is used by each stored message that has a block with its `internal.file`; a file that no message uses
  // stays for some days.
  /** Reads `bytes` to their end; each piece is done with when the next is asked for. Throws what they throw; then nothing of the file stays. */
  saveFile(file: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<FileRecord>;
  file(id: string): Promise<FileRecord | undefined>;
  /** Without a range all; `end` is the last byte of it. Undefined where the bytes are missing. */
  fileBytes(file: FileRecord, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** Where tools of this machine find the file. */
  filePath(file: FileRecord): string;
  /** Copies it to `<workdir>/.service/files/<id>/<name>` and answers that path. Throws where it can't be there. */
  copyFile(file: FileRecord, workdir: string): Promise<string>;

  /** Answers when the database answers; rejects where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
