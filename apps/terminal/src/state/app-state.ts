/** What the terminal client knows, in one immutable value. */
import type { Chat, ChatSnapshot, Connection, Decision, KernelEvent, Schema } from '@chat-kernel/client';
import type { EditorState } from '../editor/state.ts';
import type { Dialog } from '../screen/dialog-view.ts';

/** An operation that the owner is asked about. */
export interface Approval {
  chat: Pick<Chat, 'id' | 'title'>;
  dialog: Extract<Dialog, { kind: 'approval' }>;
  /** Takes it away; without a decision, where the operation is over. */
  close(decision?: Decision): void;
}
export type Panel = Extract<Dialog, { kind: 'picker' | 'help' }>;
export type ModelList = Schema<'ModelList'>;
export type Spend = Schema<'Spend'>;
export type Sleep = Omit<Extract<KernelEvent, { type: 'sleep_changed' }>, 'type'>;

/** What the chat gets that the first message makes. */
export interface Wanted {
  model?: string;
  effort?: NonNullable<Chat['effort']>;
  title?: string;
}
/** A message of this client whose turn may not have begun. */
export interface Waiting {
  chat_id: string;
  turn_id: string;
  message_id: string;
  text: string;
  sent_at: string;
  /** Another turn was there before. */
  behind: boolean;
}
export interface Notice {
  text: string;
  kind: 'info' | 'error';
  /** It tells that the kernel is gone, which it no longer is once it answers. */
  passing?: boolean;
}
export interface AppState {
  /** Which chat is on the screen, and which past of it. */
  readonly page: number;
  /** Null before the first message of a new one. */
  readonly chat: Chat | null;
  readonly snapshot: ChatSnapshot;
  readonly wanted: Wanted;
  /** Where new chats work. */
  readonly workdir: string;
  readonly models: ModelList | null;
  /** Tool → emoji. */
  readonly icons: ReadonlyMap<string, string>;
  readonly spend: Spend | null;
  /** Of the last trip to the provider. */
  readonly usage: { model: string; prompt_tokens: number } | null;
  readonly sleep: Sleep | null;
  readonly editor: EditorState;
  /** The oldest first. */
  readonly approvals: readonly Approval[];
  readonly panel: Panel | null;
  readonly notice: Notice | null;
  /** Messages of this client whose turns come later. */
  readonly waiting: readonly Waiting[];
  /** Messages that the kernel does not have yet. */
  readonly sending: number;
  /** Of the stream that tells of all chats. */
  readonly line: Connection;
  /** The kernel was gone when it was last heard of. */
  readonly lost: boolean;
  /** When the turn that runs was first seen; milliseconds since 1970. */
  readonly turn: { id: string | null; started_at: number } | null;
}
