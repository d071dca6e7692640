/** Defines stored chats: their rows, forks, and changes outside of turns. */
import type { Chat, PlanTask, TurnStatus } from '@chat-kernel/protocol';
import type { DaySpend, SpendRow } from './spend.ts';
import type { NewMessage } from './stored-message.ts';

/** A stored chat; the kernel adds `turn` of the API. */
export interface ChatRecord extends Omit<Chat, 'turn'> {
  plan: PlanTask[];
  notebook: string;
  /** When the notebook was last written; null: never. */
  notebook_at: string | null;
  /**
   * Tokens of prompt and answer of the last provider request, which is the size of the history; 0 if nothing was
   * counted.
   */
  context_tokens: number;
  /** Tokens of the prompt before any message, as last measured. */
  prefix_tokens: number;
}

/** The columns of a chat that may change after its creation. */
export type ChatChanges = Partial<
  Omit<ChatRecord, 'id' | 'created_at' | 'forked_from' | 'forked_at_message'>
>;

export interface ChatFilter {
  limit: number;
  /** A cursor: only chats older than the chat with this id. */
  before?: string;
  shelf?: string;
  project?: string;
  /** Text that the title must contain, ignoring case. */
  q?: string;
}

/**
 * A chat as its owner holds it from the beginning of a turn, or of other work: all writes of the work contain it. If the
 * chat has had another owner since, they throw an error with the code `fenced` and change nothing (FLEET-2).
 */
export interface HeldChat {
  chat_id: string;
  /** Increases with each change of owner; undefined if no other kernel uses the database. */
  epoch: number | undefined;
}

/** A chat to write: as its owner holds it, or only its id if any owner may write it. */
export type ChatRef = HeldChat | string;

/** Changes of one chat that are written together, or not at all. Without an epoch, any owner may write them. */
export interface ChatWrite extends Partial<HeldChat> {
  chat_id: string;
  /** Messages to append to the chat, in this order. */
  append?: NewMessage[];
  /** Added to the chat's spend: one row per model. `turns` is 1 if this write ends a turn, else 0. */
  spend?: SpendRow;
  /** The same spend by day: added to the spend of all days, which is kept when chats are deleted. */
  days?: readonly DaySpend[];
  chat?: ChatChanges;
}

/** A new chat with a copy of the parent's messages with a position, from `from` up to but not including `before`. */
export interface ChatFork {
  branch: ChatRecord;
  parent_id: string;
  from: number;
  before: number;
  /** The first message of the branch, which states its origin. */
  marker: NewMessage;
  /** Messages after the copy: the results that close an interrupted turn. */
  closing: NewMessage[];
  /** Creates an id for each copied message, called in their order. */
  newId(): string;
}

/** The number of chats, messages with a position, and turns, including those of deleted chats. */
export interface Counts {
  chats: number;
  messages: number;
  turns: Record<TurnStatus, number>;
}

export interface ChatStore {
  create(chat: ChatRecord): Promise<void>;
  get(id: string): Promise<ChatRecord | undefined>;
  /** Returns the newest chats first, sorted by id, which increases with time. */
  list(filter: ChatFilter): Promise<ChatRecord[]>;
  /** Returns the changed chat, or undefined if the id is unknown. */
  update(chat: ChatRef, changes: ChatChanges): Promise<ChatRecord | undefined>;
  /**
   * Deletes everything of the chat: messages, turns, approvals, and the images and files that no other chat uses. Its
   * counts and spend stay in the totals. Returns false if there is no such chat.
   */
  delete(id: string): Promise<boolean>;
  /** Writes everything in one transaction. Throws if there is no such chat. */
  write(write: ChatWrite): Promise<void>;
  /**
   * Stores the branch with its copies, which keep their order, times, turns and blocks, and use the same images and
   * files. Message ids inside (`branch.summary.upto_message`, compaction markers) become those of the copies. Returns
   * false if the parent is deleted.
   */
  fork(fork: ChatFork): Promise<boolean>;
  count(): Promise<Counts>;
}
