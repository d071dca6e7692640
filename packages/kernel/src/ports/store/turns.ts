/** Turns: what started them, and the writes by which each of their steps is stored. */
import type {
  Anchor,
  Effort,
  ExtraTool,
  TurnEffort,
  TurnError,
  TurnStatus,
  Usage,
} from '@chat-kernel/protocol';
import type { TraceContext } from '../tracing.ts';
import type { ChatChanges, ChatWrite } from './chats.ts';
import type { RunClaim } from './schedules.ts';
import type { NewMessage } from './stored-message.ts';

/** The fields of a turn request that count after its message was stored. */
export interface TurnParameters {
  effort?: Effort;
  model?: string;
  surface_model?: string;
  surface_effort?: Effort;
  person_id?: string;
  guest?: boolean;
  max_tokens?: number;
  client_ops?: boolean;
  machine?: 'auto' | 'none';
  questions?: boolean;
  client_id?: string;
  project_docs?: boolean;
  list_dir?: boolean;
  extra_tools?: ExtraTool[];
  anchor?: Anchor;
  tools?: string[];
  /** The schedule whose run this is, and the time for which it was due. */
  schedule?: { id: string; due_at: string };
  /** What the turn may spend (SCHED-1). */
  max_cost_usd?: number;
  /** A hash that is the same for the same request; turns of older kernels have none. */
  fingerprint?: string;
  /** The trace of the request. */
  trace?: TraceContext;
  /** The module that stopped the message, and why (MOD-7). */
  blocked?: { by: string; reason: string };
}

/** The sleep of a turn: since when, until when and why. */
export interface TurnSleep {
  since: string;
  /** The end of the sleep (RFC 3339); null where only a wake ends it. */
  until: string | null;
  reason: string | null;
  /** The call of the tool `sleep` that waits for the end of it; null: the turn has not begun. */
  call_id: string | null;
}

export interface TurnRecord {
  id: string;
  chat_id: string;
  /** The user message that started the turn. */
  message_id: string;
  status: TurnStatus;
  model: string | null;
  effort: TurnEffort;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  usage: Usage;
  stop_reason: string | null;
  error: TurnError | null;
  parameters: TurnParameters;
  /** The sleep of the turn; null while it is awake. */
  sleep: TurnSleep | null;
  /** The messages of the running step so far. After a crash nothing else is left of that step. */
  checkpoint: NewMessage[] | null;
}

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

/** Changes of a turn and its chat that are written together, or not at all. */
export interface TurnWrite extends ChatWrite {
  turn_id: string;
  turn: TurnChanges;
  /** Id of the waiting user message that gets its position at the end of the chat, before `append`. */
  place?: string;
}

export interface IdempotencyKey {
  key: string;
  /** A hash of the request: the same key with another request has another fingerprint, and is refused. */
  fingerprint: string;
  created_at: string;
}

/** The way in which a turn enters its chat. */
export interface TurnEntry {
  /** True where the user message gets its position now; false where it waits without one. */
  place: boolean;
  idempotency?: IdempotencyKey;
  chat?: ChatChanges;
  /** The run of a schedule that the turn is: claimed with it, or neither is stored. */
  run?: RunClaim;
  /** See ChatWrite. */
  epoch?: number | undefined;
}

/** Waiting turns that never begin, and their messages. */
export interface DroppedTurns {
  turn_ids: readonly string[];
  message_ids: readonly string[];
  /** When they were dropped (RFC 3339). */
  ended_at: string;
  /** See ChatWrite. */
  epoch?: number | undefined;
}

/** A copy of a running step. */
export type StepCopy = Pick<TurnRecord, 'chat_id' | 'id' | 'checkpoint'> & Pick<TurnWrite, 'epoch'>;

/** Whatever is written with an epoch throws an error with the code `fenced`, and changes nothing, where the chat has another one by now. */
export interface TurnStore {
  /** Stores a turn with its user message. */
  create(turn: TurnRecord, message: NewMessage, entry: TurnEntry): Promise<void>;
  get(chatId: string, id: string): Promise<TurnRecord | undefined>;
  write(write: TurnWrite): Promise<void>;
  /** Keeps copies of running steps, in one transaction. One of a turn that has ended, or of a chat that has
   * another owner, is left out. */
  checkpoint(copies: readonly StepCopy[]): Promise<void>;
  /**
   * Deletes the waiting messages, ends their turns as cancelled, and sets back `last_message_at` of the chat (WAIT-4).
   * Throws, and changes nothing, where one of the messages does not wait any more.
   */
  drop(chatId: string, dropped: DroppedTurns): Promise<void>;
  /** Returns the turns that are queued, sleeping or running, of all chats or of these, in the order of their creation. */
  listUnfinished(chatIds?: readonly string[]): Promise<TurnRecord[]>;
  /**
   * Returns the turn that a key started in this chat since `notBefore` (RFC 3339), with the fingerprint of its
   * request.
   */
  findByKey(
    chatId: string,
    key: string,
    notBefore: string,
  ): Promise<{ turn: TurnRecord; fingerprint: string } | undefined>;
}
