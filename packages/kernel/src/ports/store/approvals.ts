/** Approvals: lasting permissions, each of one chat, and gone with it. */

/** Operations of this action in this chat need no dialog (OP-14). */
export interface ApprovalRecord {
  id: string;
  chat_id: string;
  action: string;
  /** Of the action shell: exactly this command. Null for the others. */
  command: string | null;
  created_at: string;
}

export interface ApprovalStore {
  /** Of all chats, the oldest first. */
  list(): Promise<ApprovalRecord[]>;
  /** Keeps nothing where the chat is gone. */
  save(approval: ApprovalRecord): Promise<void>;
  /** Ignores ids that name none. */
  delete(ids: readonly string[]): Promise<void>;
}
