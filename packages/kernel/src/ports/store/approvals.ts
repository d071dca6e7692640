/** Defines stored approvals: lasting permissions, each of one chat and deleted with it. */
import type { LastingDecision } from '@chat-kernel/protocol';

/** A permission with which operations of this action, in this chat and location, need no dialog (OP-14, HANDS-6). */
export interface ApprovalRecord {
  id: string;
  chat_id: string;
  action: string;
  /** The exact permitted command, for the action `shell`; null for the other actions. */
  command: string | null;
  /** The working directory of the chat at the time of the approval; null if there was none. */
  workdir: string | null;
  workdir_on: 'client' | 'server';
  /** The client that had to execute; null: any. */
  client_id: string | null;
  /** The stand-by machine; null: another machine. */
  hands: string | null;
  /** The prefix of permitted commands, for the decision `allow_prefix`. */
  prefix: string | null;
  /** The host, directory, file or server that the permission is limited to; null: it is not limited to one. */
  target: string | null;
  /** The outside sources that the dialog showed (CONSENT-4); null: it showed none. */
  outside: readonly string[] | null;
  /**
   * A decision that is valid longer than the process. A newer kernel may have stored one that this kernel does not
   * know.
   */
  decision: LastingDecision;
  created_at: string;
}

export interface ApprovalStore {
  /** Returns the approvals of all chats, oldest first. */
  list(): Promise<ApprovalRecord[]>;
  /** Stores an approval; does nothing if its chat is deleted. */
  save(approval: ApprovalRecord): Promise<void>;
  /** Deletes approvals; unknown ids are ignored. */
  delete(ids: readonly string[]): Promise<void>;
}
