/**
 * Defines features: extensions of the kernel that are not part of the turn, such as the memory. The kernel knows a
 * feature only by this interface.
 */
import type { OpsResult, PendingRequest, TurnError } from '@chat-kernel/protocol';
import type { Log } from './log.ts';
import type { FolderReader } from './machine.ts';
import type { ChatRecord, HeldChat } from './store/chats.ts';
import type { NewMessage, StoredBlock } from './store/stored-message.ts';

export interface Feature {
  readonly name: string;
  /** Reads the in-memory state of the feature. No turn runs before. */
  load?(): Promise<void>;
  /** Called once the turns of the previous process are recovered: from now on the feature may start turns. */
  start?(): void;
  /**
   * Called when the kernel shuts down: the feature starts no more turns. Resolves once those that it started are
   * stored.
   */
  drain?(): Promise<void>;
  /** Stops background work of the feature. No turns are running, and the store closes afterwards. */
  stop?(): void | Promise<void>;
  /**
   * Adds to the system prompt of a turn whose speaker is trusted; undefined: nothing. Sections are in the order of the
   * features. Unchanged state gives the same text, for the caches of providers.
   */
  promptSection?(turn: PromptTurn): Promise<PromptSection | undefined>;
  /** Returns the state of the feature that models see in a chat; null: none. */
  state?(chat: Pick<ChatRecord, 'notebook' | 'toolset'>): FeatureState | null;
  /**
   * A stored message in the form that models may see; the same object if nothing differs.
   * @param justMade true if the model has just made its calls, so that it may correct one that failed
   */
  viewMessage?(message: NewMessage, options: { justMade: boolean }): NewMessage;
  /** Takes part when a model summarizes older history. At most one feature of a kernel does. */
  learning?: Learning;
  /** Called when a turn of a chat has completed. Returns immediately and never throws. */
  turnCompleted?(turn: CompletedTurn): void;
  /** Called when a client names the chat, before the title is stored. */
  chatNamed?(chatId: string): void;
  /** Called before the chat is deleted; the chat may not exist. */
  chatDeleting?(chatId: string): void;
  chatDeleted?(chatId: string): Promise<void>;
  /** Whether the feature notifies the owner, outside of all streams, when a request waits. */
  notifiesOfRequests?(): boolean;
  /** Called when the owner has decided about an operation. Returns immediately and never throws. */
  operationDecided?(decided: DecidedOperation): void;
  /** Describes a run that has ended, for a notification. At most one feature of a kernel has schedules. */
  describeRun?(run: RunRef): Promise<RunDescription>;
}

/** A request about an operation, and the answer that decided it. */
export interface DecidedOperation {
  request: PendingRequest;
  answer: OpsResult & { decision: string };
}

export interface CompletedTurn {
  id: string;
  chat_id: string;
  /** The id of the model of the turn. */
  model: string | null;
}

export interface RunRef {
  schedule_id: string;
  due_at: string;
}

export interface RunDescription {
  /** The title that the schedule gives to new chats; null: none. */
  title: string | null;
  /** Null: the run did not fail. */
  error: TurnError | null;
}

/** Identifies a turn while it runs: a feature can cache data for the turn in a WeakMap. */
export type TurnKey = WeakKey;

/** A turn whose prompt is being built. */
export interface PromptTurn {
  key: TurnKey;
  chat: Pick<ChatRecord, 'id' | 'workdir'>;
  view: WorkdirView;
}

/** Text that a feature adds to the system prompt. */
export interface PromptSection {
  text: string;
  /** The directories of projects from which text in it comes, whose authors may be others than the owner (CONSENT-4). */
  projects?: readonly string[];
}

/** How a turn reads its working directory: on the kernel's machine, on its client's, as last seen, or not at all. */
export type WorkdirView = 'server' | FolderReader | 'remembered' | 'none';

/** A state that models see in a block of a message, which is added again whenever they know an older one. */
export interface FeatureState {
  fingerprint: string;
  /** True if the state is shown only when a model knows another one. */
  isEmpty: boolean;
  /** Built only if it is shown. */
  block(): StoredBlock;
}

/** Lets a model learn from the history that it summarizes (MEM-4). */
export interface Learning {
  /** Tools whose calls are not in summaries. */
  privateTools: readonly string[];
  /** The heading after the summary under which the model lists what it learned. */
  heading: string;
  /** The end of the system prompt, which requests that list. */
  instructions: string;
  /** The maximum number of texts per answer, and of characters per text; longer ones are dropped. */
  maxTexts: number;
  maxChars: number;
  /** The texts that are already known; null: nothing is learned in this chat. */
  known(chat: Pick<ChatRecord, 'toolset'>): readonly string[] | null;
  /** Stores what was learned. Logs failures, and never rejects. */
  learn(texts: readonly string[], source: LearnedFrom, log: Pick<Log, 'warn'>): Promise<void>;
}

/** The origin of a learned text. */
export interface LearnedFrom extends HeldChat {
  /** Null: outside of any turn. */
  turn_id: string | null;
  /** The sources of text in its history that the owner did not write (CONSENT-4). */
  outside: readonly string[];
}
