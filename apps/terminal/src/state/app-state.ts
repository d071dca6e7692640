/** The state of the chat program: one immutable value made of slices, each of which has a single writer. */
import type { Chat, ChatSnapshot, Choice, KernelEvent, Schema, StreamConnection } from '@chat-kernel/client';
import type { Dialog } from '../dialogs/dialog.ts';
import { createEditor, type EditorState, type Submission } from '../editor/state.ts';
import type { Mode } from '../machine/modes.ts';

/** Written by `ShownChat`. */
export interface ShownChatState {
  /** Changes with the chat on the screen, and with its past: the screen begins anew for each page. */
  readonly page: number;
  /** Null before the first message of a new chat. */
  readonly chat: Chat | null;
  readonly snapshot: ChatSnapshot;
  /** `started_at` is when this client first saw the running turn, in milliseconds since 1970. */
  readonly turn: { id: string | null; started_at: number } | null;
  /** Tokens of the last trip to the provider. */
  readonly usage: { model: string; prompt_tokens: number } | null;
  readonly spend: Schema<'Spend'> | null;
}

/** Written by `NewChat`. */
export interface NewChatState {
  readonly newChat: NewChatSettings;
  /** The directory where new chats work. */
  readonly workdir: string;
}

/** Settings for the chat that the first message creates. */
export interface NewChatSettings {
  model?: string;
  effort?: NonNullable<Chat['effort']>;
  title?: string;
}

/** Written by `KernelFollower`. */
export interface KernelState {
  readonly models: Schema<'ModelList'> | null;
  /** Tool name → emoji. */
  readonly icons: ReadonlyMap<string, string>;
  /** Those of the chat on the screen, as far as they were read. */
  readonly skills: readonly Schema<'Skill'>[];
  readonly sleep: KernelSleep | null;
  /** The connection of the event stream about all chats. */
  readonly eventsConnection: StreamConnection;
  /** The kernel did not answer at the last attempt. */
  readonly lost: boolean;
}

export type KernelSleep = Omit<Extract<KernelEvent, { type: 'sleep_changed' }>, 'type'>;

/** Written by `Outbox`. */
export interface OutboxState {
  /** Messages of this client whose turns may not have begun. */
  readonly waiting: readonly WaitingMessage[];
  /** The number of messages on their way to the kernel. */
  readonly sending: number;
}

export interface WaitingMessage {
  chat_id: string;
  turn_id: string;
  message_id: string;
  /** What it was in the input, where it can go back to. */
  sent: Submission;
  sent_at: string;
  /** Another turn was running when it was sent. */
  behind: boolean;
}

/** Written by `MessageInput`. */
export interface InputState {
  readonly editor: EditorState;
}

/** Written by `ApprovalDialogs`. */
export interface ApprovalsState {
  /** The oldest first. */
  readonly approvals: readonly OpenApproval[];
  /** The ids of operations that this machine is at. */
  readonly begun: ReadonlySet<string>;
}

/** An operation that the owner is asked about. */
export interface OpenApproval {
  chat: Pick<Chat, 'id' | 'title'>;
  dialog: Extract<Dialog, { kind: 'approval' }>;
  /** Takes the dialog away; without a decision where the operation is over. */
  close(choice?: Choice): void;
}

/** Written by `ChatSession`. */
export interface ModeState {
  readonly mode: Mode;
}

/** Written by `Panels`. */
export interface PanelState {
  readonly panel: Panel | null;
}

/** A dialog that the owner opens; the others open because the model asks. */
export type Panel = Exclude<Dialog, { kind: 'approval' | 'question' }>;

/** Written by `Notices`. */
export interface NoticeState {
  readonly notice: Notice | null;
}

export interface Notice {
  text: string;
  kind: 'info' | 'error';
  /** Says that the kernel is gone, and is removed once it answers. */
  passing?: boolean;
}

export interface AppState
  extends ShownChatState,
    NewChatState,
    KernelState,
    OutboxState,
    InputState,
    ApprovalsState,
    ModeState,
    PanelState,
    NoticeState {}

/** The view of the store that a writer gets: the whole state to read, one slice to write. */
export interface Slice<Written> {
  readonly get: () => AppState;
  readonly set: (change: Partial<Written>) => void;
}

/** The snapshot of a screen without a chat. */
export const EMPTY_CHAT: ChatSnapshot = {
  items: [],
  has_older: false,
  loading_older: false,
  loaded: true,
  turn: null,
  busy: false,
  requests: [],
  plan: [],
  connection: { state: 'open' },
  failure: null,
};

export const initialState = (newChat: NewChatSettings, workdir: string): AppState => ({
  page: 0,
  chat: null,
  snapshot: EMPTY_CHAT,
  turn: null,
  usage: null,
  spend: null,
  newChat,
  workdir,
  models: null,
  icons: new Map(),
  skills: [],
  sleep: null,
  eventsConnection: { state: 'connecting' },
  lost: false,
  waiting: [],
  sending: 0,
  editor: createEditor(),
  approvals: [],
  begun: new Set(),
  mode: 'ask',
  panel: null,
  notice: null,
});
