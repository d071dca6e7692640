/** Approvals: lasting permissions, each of one chat, and gone with it. */

import type { Lasting } from '@chat-kernel/protocol';

/** A permission by which operations of this action, in this chat and place, need no dialog (OP-14, HANDS-6). */
export interface ApprovalRecord {
  id: string;
  chat_id: string;
  action: string;
  /** The exact command that is allowed, for the action `shell`; null for the other actions. */
  command: string | null;
  /** The working directory of the chat when it was given; null: there was none. */
  workdir: string | null;
  workdir_on: 'client' | 'server';
  /** The client that was to execute; null: none was named. */
  client_id: string | null;
  /** The machine that stands by; null: another. */
  hands: string | null;
  /** The words with which commands begin, for the decision `allow_prefix`. */
  prefix: string | null;
  decision: Exclude<Lasting, 'allow_session'>;
  created_at: string;
}

export interface ApprovalStore {
  /** Returns the approvals of all chats, the oldest first. */
  list(): Promise<ApprovalRecord[]>;
  /** Stores an approval; where its chat is gone, nothing is stored. */
  save(approval: ApprovalRecord): Promise<void>;
  /** Deletes approvals; ids that name none are ignored. */
  delete(ids: readonly string[]): Promise<void>;
}
