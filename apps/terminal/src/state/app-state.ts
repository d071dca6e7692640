/** State of the chat program: one immutable value. */
import {
  type Chat,
  type ChatSnapshot,
  type Choice,
  EMPTY_SNAPSHOT,
  type KernelEvent,
  type ModelList,
  type Skill,
  type Spend,
  type StreamConnection,
} from '@chat-kernel/client';
import type { Dialog } from '../dialogs/dialog.ts';
import { createEditor, type EditorState, type Submission } from '../editor/state.ts';
import type { Mode } from '../machine/modes.ts';

export interface AppState {
  /** Changes with the chat on the screen and its history. Each page starts with a clear screen. */
  readonly page: number;
  /** Null before the first message of a new chat. */
  readonly chat: Chat | null;
  readonly snapshot: ChatSnapshot;
  /** `started_at` is when this client first saw the running turn, in milliseconds since 1970. */
  readonly turn: { id: string | null; started_at: number } | null;
  /** Tokens of the last provider request. */
  readonly usage: { model: string; prompt_tokens: number } | null;
  readonly spend: Spend | null;
  readonly newChat: NewChatSettings;
  /** Working directory of new chats. */
  readonly workdir: string;
  readonly models: ModelList | null;
  /** Tool name → emoji. */
  readonly icons: ReadonlyMap<string, string>;
  /** Skills of the chat on the screen, as far as loaded. */
  readonly skills: readonly Skill[];
  readonly sleep: KernelSleep | null;
  /** Connection of the event stream about all chats. */
  readonly eventsConnection: StreamConnection;
  /** Whether the last connection attempt failed. */
  readonly lost: boolean;
  /** Messages of this client whose turns may not have started. */
  readonly waiting: readonly WaitingMessage[];
  /** Number of messages being sent. */
  readonly sending: number;
  readonly editor: EditorState;
  /** Oldest first. */
  readonly approvals: readonly OpenApproval[];
  /** Ids of operations that run on this machine. */
  readonly begun: ReadonlySet<string>;
  readonly mode: Mode;
  readonly panel: Panel | null;
  readonly notice: Notice | null;
}

export type AppStore = Pick<StateStore<AppState>, 'get' | 'set'>;

/** Settings of the chat that the first message creates. */
export interface NewChatSettings {
  model?: string;
  effort?: NonNullable<Chat['effort']>;
  title?: string;
}

export type KernelSleep = Omit<Extract<KernelEvent, { type: 'sleep_changed' }>, 'type'>;

export interface WaitingMessage {
  chat_id: string;
  turn_id: string;
  message_id: string;
  /** The original input, for taking it back. */
  sent: Submission;
  sent_at: string;
  /** Whether another turn was running when it was sent. */
  behind: boolean;
}

/** An operation that waits for approval. */
export interface OpenApproval {
  chat: Pick<Chat, 'id' | 'title'>;
  dialog: Extract<Dialog, { kind: 'approval' }>;
  /** Closes the dialog; without a decision if the operation is over. */
  close(choice?: Choice): void;
}

/** A dialog that the user opens. The others open for requests of the model. */
export type Panel = Exclude<Dialog, { kind: 'approval' | 'question' }>;

export interface Notice {
  text: string;
  kind: 'info' | 'error';
  /** Reports that the kernel is unreachable, and is removed when it answers. */
  passing?: boolean;
}

/** Snapshot of a screen without a chat. */
export const EMPTY_CHAT: ChatSnapshot = { ...EMPTY_SNAPSHOT, loaded: true, connection: { state: 'open' } };

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

/** An observable value for React's useSyncExternalStore. */
export class StateStore<State extends object> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  readonly get = (): State => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly set = (change: Partial<State>): void => {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  };
}
