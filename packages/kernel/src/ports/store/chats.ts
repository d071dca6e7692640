/** Chats: their rows, their forks, and what happens to a chat outside its turns. */
import type { Chat, PlanTask, TurnStatus } from '@chat-kernel/protocol';
import type { DaySpend, SpendRow } from './spend.ts';
import type { NewMessage } from './stored-message.ts';

/** A chat as stored; the kernel adds `turn` of the API. */
export interface ChatRecord extends Omit<Chat, 'turn'> {
  plan: PlanTask[];
  notebook: string;
  /** When the notebook was last written; null: never. */
  notebook_at: string | null;
  /** Tokens of prompt and answer of the last trip, which is the size of the history; 0 where nothing was counted. */
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
  /** A cursor: only chats that are older than the chat of this id. */
  before?: string;
  shelf?: string;
  project?: string;
  /** Text that the title must contain, in any case. */
  q?: string;
}

/** Changes of one chat that are written together, or not at all. */
export interface ChatWrite {
  chat_id: string;
  /** Messages to append to the chat, in this order. */
  append?: NewMessage[];
  /** Added to the chat's spend: one row per model. `turns` is 1 where this write ends a turn, else 0. */
  spend?: SpendRow;
  /** The same spend by day: added to the spend of all days, which outlives the chats. */
  days?: readonly DaySpend[];
  chat?: ChatChanges;
  /**
   * The epoch of the chat by which its owner writes: where the chat has another one by now, an error with the code
   * `fenced` is thrown, and nothing has changed. Absent: no other kernel has this database, or any owner may write this.
   */
  epoch?: number | undefined;
}

/** A new chat with a copy of the parent's placed messages from position `from` up to, and without, `before`. */
export interface ChatFork {
  branch: ChatRecord;
  parent_id: string;
  from: number;
  before: number;
  /** The message that stands first in the branch and says where it comes from. */
  marker: NewMessage;
  /** Messages behind the copy: the results that close a turn which was cut. */
  closing: NewMessage[];
  /** Makes an id for each copied message, called in their order. */
  newId(): string;
}

/** How many chats, placed messages and turns there are, and were in chats that are deleted. */
export interface Counts {
  chats: number;
  messages: number;
  turns: Record<TurnStatus, number>;
}

export interface ChatStore {
  create(chat: ChatRecord): Promise<void>;
  get(id: string): Promise<ChatRecord | undefined>;
  /** Returns the newest chats first, sorted by id, which grows with time. */
  list(filter: ChatFilter): Promise<ChatRecord[]>;
  /** Returns the changed chat, or undefined where there is none of this id. @param epoch see ChatWrite */
  update(id: string, changes: ChatChanges, epoch?: number): Promise<ChatRecord | undefined>;
  /**
   * Deletes everything of the chat: messages, turns, approvals, and the images and files that no other chat uses. What
   * it counted and spent stays in the totals. Returns false where there is no such chat.
   */
  delete(id: string): Promise<boolean>;
  /** Writes all of it in one transaction. Throws where there is no such chat. */
  write(write: ChatWrite): Promise<void>;
  /**
   * Stores the branch with its copies, which keep their order, times, turns and blocks, and use the same images and
   * files. Message ids inside (`branch.summary.upto_message`, compaction markers) become those of the copies. Returns
   * false where the parent is gone.
   */
  fork(fork: ChatFork): Promise<boolean>;
  count(): Promise<Counts>;
}
