/**
 * The store: everything that outlives the process. Every method that writes is one transaction and has
 * reached the disk when its promise resolves. One process owns a store at a time (`open` takes a lock).
 */
import type { Readable } from 'node:stream';
import type {
  ApprovalRecord,
  BookHit,
  BookPart,
  BookPlace,
  BookRecord,
  ChatRecord,
  DaySpend,
  FileRecord,
  ImageRecord,
  KernelSleep,
  MessageDraft,
  ModuleRecord,
  NewBook,
  NewFile,
  NumberedPart,
  PersonRecord,
  SearchHit,
  SpendRow,
  StoredMessage,
  SubscriptionRecord,
  TriageCounts,
  TurnRecord,
  VideoRecord,
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
    | 'sleep'
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
  /** The same, by the day it was spent on: added to the books of all days, which outlive their chats. */
  days?: readonly DaySpend[];
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

export interface BookFilter {
  limit: number;
  /** Only books older than this book id. */
  before?: string;
  shelf?: string;
}

/** Which part of a book: of a section, with a line, or under a heading that has these words, in any case. */
export type WantedPart = { section: number; piece: number } | { line: number } | { heading: string };

/** What a rewind has taken. */
export interface Rewound {
  deleted: number;
  /** Those of the deleted messages in which the model calls something, oldest first. */
  with_calls: StoredMessage[];
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
  /** Deletes the message and every placed one after it, and changes the chat with it. */
  rewind(chatId: string, position: number, changes?: ChatChanges): Promise<Rewound>;
  /** The newest compaction marker placed before a position. */
  lastCompaction(chatId: string, before: number): Promise<StoredMessage | undefined>;
  /**
   * Makes `branch` with the marker as its first message and, behind it, a copy of what the parent has placed from one
   * position up to, and without, another: same order, times, turns and blocks; new ids, given by `newId` in that order. Files and images of
   * the copy are used by it. Message ids inside (`branch.summary.upto_message`, compaction markers) become those of
   * the copy. False where the parent is gone.
   */
  forkChat(fork: {
    branch: ChatRecord;
    parent_id: string;
    from: number;
    before: number;
    marker: MessageDraft;
    /** Behind the copy: what closes a turn that was cut. */
    closing: MessageDraft[];
    newId(): string;
  }): Promise<boolean>;
  /** Full-text over what people and models said, all chats, the newest first: every word must be there, the last one as a beginning. Any text is a query; one without words finds nothing. */
  search(query: string, limit: number): Promise<SearchHit[]>;

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

  /** One thing that happens to a chat outside its turns, written as a whole. Throws where there is no such chat. */
  writeChat(write: Omit<TurnWrite, 'turn_id' | 'turn' | 'place'>): Promise<void>;

  // Sleep
  /** Null: awake. */
  kernelSleep(): Promise<KernelSleep | null>;
  setKernelSleep(sleep: KernelSleep | null): Promise<void>;

  // Books
  /** Per model, by model id. */
  spend(chatId: string): Promise<SpendRow[]>;
  /** Of all chats, and of what belongs to none. */
  totalSpend(): Promise<SpendRow[]>;
  /** Into the books of what belongs to no chat. `days` as of a turn's write. */
  addSideSpend(spend: SpendRow, days?: readonly DaySpend[]): Promise<void>;
  /** Whatever was spent from this day (YYYY-MM-DD) on, chats or none: by day, then by model id. */
  spendByDay(from: string): Promise<DaySpend[]>;
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

  // Modules
  /** By name. */
  modules(): Promise<ModuleRecord[]>;
  /** Takes the place of the record of this name. */
  saveModule(module: ModuleRecord): Promise<void>;

  // Persons
  /** The oldest first. */
  persons(): Promise<PersonRecord[]>;
  person(id: string): Promise<PersonRecord | undefined>;
  /** The person that a surface calls so; made of `fresh` where there is none. One person, whoever asks at the same time. */
  resolvePerson(fresh: PersonRecord): Promise<PersonRecord>;
  /** Undefined where there is none. */
  updatePerson(
    id: string,
    changes: Partial<Pick<PersonRecord, 'name' | 'trusted' | 'master'>>,
  ): Promise<PersonRecord | undefined>;
  /** `into` is called what both were called; the other is gone. Undefined where one of them is not there. */
  mergePersons(id: string, into: string): Promise<PersonRecord | undefined>;

  // Triage
  addTriage(counts: TriageCounts): Promise<TriageCounts>;
  triage(): Promise<TriageCounts>;

  // Approvals
  /** Of all chats, the oldest first. They go with their chat. */
  approvals(): Promise<ApprovalRecord[]>;
  /** Of a chat that is gone, nothing is kept. */
  saveApproval(approval: ApprovalRecord): Promise<void>;
  /** Ids that name none are nothing. */
  deleteApprovals(ids: readonly string[]): Promise<void>;

  // Videos
  /** Takes the place of the row of this id, at the top; of the rest, the newest stay so that there are `keep`. */
  markVideo(video: VideoRecord, keep: number): Promise<void>;
  /** The last marked first; below the one called `before`. Undefined where there is none of that id. */
  videos(range: { limit: number; before?: string }): Promise<VideoRecord[] | undefined>;
  /** One, or without an id all; answers how many there were. */
  deleteVideos(id?: string): Promise<number>;
  /** By title, whatever its case, then by id. */
  subscriptions(): Promise<SubscriptionRecord[]>;
  /** Takes the place of the one of this id. */
  saveSubscription(subscription: SubscriptionRecord): Promise<void>;
  /** Those whose id is there stay as they are; answers how many are new. */
  addSubscriptions(subscriptions: readonly SubscriptionRecord[]): Promise<number>;
  /** False where there was none. */
  deleteSubscription(channelId: string): Promise<boolean>;

  // Books on shelves
  /**
   * Reads `parts` to their end. Nobody sees the book before it is whole. Throws what they throw; then nothing of it
   * stays. Where its shelf has a book of the same bytes, that one is answered, and nothing is added.
   */
  saveBook(book: NewBook, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  book(id: string): Promise<BookRecord | undefined>;
  /** The book of a shelf that these bytes are. */
  bookOfBytes(shelf: string, sha256: string): Promise<BookRecord | undefined>;
  /** Newest first: by id, which sorts by creation. */
  books(filter: BookFilter): Promise<BookRecord[]>;
  /** Undefined where there is none. Rejects where the new shelf has a book of the same bytes. */
  updateBook(
    id: string,
    changes: Partial<Pick<BookRecord, 'title' | 'shelf'>>,
  ): Promise<BookRecord | undefined>;
  /** False where there was none. */
  deleteBook(id: string): Promise<boolean>;
  /** Parts from this one on (inclusive), in their order. */
  bookParts(id: string, from: number, limit: number): Promise<NumberedPart[]>;
  /** The number of the first such part. */
  findBookPart(id: string, wanted: WantedPart): Promise<number | undefined>;
  /** Sections with a heading, from this section on, in their order. */
  bookContents(id: string, from: number, limit: number): Promise<BookPlace[]>;
  /**
   * Full-text over the parts of all books of a shelf, with the rules of `search`, those first that say the most of
   * it. `more`: not all that match are among them.
   */
  searchBooks(shelf: string, query: string, limit: number): Promise<{ hits: BookHit[]; more: boolean }>;

  /** Answers when the database answers; rejects where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
