/** Defines stored turns: their origin, and the writes that store each of their steps. */
import type {
  StopReason,
  TurnEffort,
  TurnError,
  TurnRequest,
  TurnStatus,
  Usage,
} from '@chat-kernel/protocol';
import type { TraceContext } from '../trace-context.ts';
import type { ChatChanges, ChatRecord, ChatRef, ChatWrite, HeldChat } from './chats.ts';
import type { LeavingVersion } from './messages.ts';
import type { NewMessage } from './stored-message.ts';

/** A call that the owner of a schedule allows in its turns (CONSENT-4). */
export interface ScheduleGrant {
  tool: string;
  /** The host, command, file, directory or recipient; null: all, except for calls that send something. */
  target: string | null;
}

/** The fields of a turn request that are needed after its message was stored. */
export const REQUEST_PARAMETERS = [
  'effort',
  'model',
  'surface_model',
  'surface_effort',
  'person_id',
  'guest',
  'max_tokens',
  'client_ops',
  'machine',
  'questions',
  'consents',
  'whole_calls',
  'client_id',
  'project_docs',
  'list_dir',
  'extra_tools',
  'anchor',
  'tools',
] as const satisfies (keyof TurnRequest)[];

export interface TurnParameters extends Pick<TurnRequest, (typeof REQUEST_PARAMETERS)[number]> {
  /** The schedule of this run, and the time for which it was due. */
  schedule?: { id: string; due_at: string };
  /** The calls that the schedule allows; as of the start of the turn. */
  grants?: readonly ScheduleGrant[];
  /** The maximum spend of the turn (SCHED-1). */
  max_cost_usd?: number;
  /** A hash of the request; identical requests have the same one. Turns of older kernels have none. */
  fingerprint?: string;
  trace?: TraceContext;
  /** The module that blocked the message, and why (MOD-7). */
  blocked?: { by: string; reason: string };
}

/** The sleep of a turn: start, end and reason. */
export interface TurnSleep {
  since: string;
  /** The end of the sleep (RFC 3339); null if only a wake ends it. */
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
  stop_reason: StopReason | null;
  error: TurnError | null;
  parameters: TurnParameters;
  /** The sources of text that the owner did not write, such as `web:example.org` (CONSENT-4); only added to. */
  outside: readonly string[];
  /** The sleep of the turn; null while it is awake. */
  sleep: TurnSleep | null;
  /** The messages of the running step so far. After a crash nothing else remains of that step. */
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
    | 'outside'
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
  /**
   * A hash of the request: if the same key is used for another request, the fingerprint differs and the request is
   * refused.
   */
  fingerprint: string;
  created_at: string;
}

/** A run of a schedule that becomes a turn. */
export interface RunClaim {
  schedule_id: string;
  due_at: string;
  /**
   * The next due time (null: none). The claim fails if the schedule no longer waits for `due_at`. Absent: a manual run
   * without a due time.
   */
  next_at?: string | null;
  /** The new chat, created with the turn. */
  chat?: ChatRecord;
  /** The id of the kernel that owns the new chat, if several share the database. */
  owner?: string;
}

/** The way in which a turn enters its chat. */
export interface TurnEntry {
  /** True if the user message gets its position now; false if it waits without one. */
  place: boolean;
  idempotency?: IdempotencyKey;
  chat?: ChatChanges;
  /** The run of a schedule for this turn: claimed with it, or neither is stored. */
  run?: RunClaim;
  /** A retry: the messages from this position on become a version first, and the chat changes with them (EDIT-1). */
  replace?: { position: number; version: LeavingVersion; chat: ChatChanges };
  /** The chat of the turn; absent: any owner may write this. */
  held?: HeldChat;
}

/** Waiting turns that never begin, and their messages. */
export interface DroppedTurns {
  turn_ids: readonly string[];
  message_ids: readonly string[];
  /** When they were dropped (RFC 3339). */
  ended_at: string;
}

/** The usage of a turn, and the origin of its message. */
export type SpentTurn = Pick<TurnRecord, 'id' | 'created_at' | 'model' | 'usage'> &
  Pick<TurnParameters, 'anchor' | 'schedule'>;

export type StepCopy = HeldChat & Pick<TurnRecord, 'id' | 'checkpoint'>;

export interface TurnStore {
  /** Stores a turn with its user message. */
  create(turn: TurnRecord, message: NewMessage, entry: TurnEntry): Promise<void>;
  get(chatId: string, id: string): Promise<TurnRecord | undefined>;
  /** Returns a turn that messages of the chat refer to: one of this chat, or of the chat it was forked from. */
  getNamed(chatId: string, id: string): Promise<TurnRecord | undefined>;
  write(write: TurnWrite): Promise<void>;
  /**
   * Stores copies of running steps in one transaction. Copies are skipped if their turn has ended or their chat has
   * another owner.
   */
  checkpoint(copies: readonly StepCopy[]): Promise<void>;
  /**
   * Deletes the waiting messages, ends their turns as canceled, and resets `last_message_at` of the chat (WAIT-4).
   * Throws and changes nothing if one of the messages is not waiting.
   */
  drop(chat: ChatRef, dropped: DroppedTurns): Promise<void>;
  /** Returns the queued, sleeping and running turns of all chats or of these, in the order of their creation. */
  listUnfinished(chatIds?: readonly string[]): Promise<TurnRecord[]>;
  /** Returns turns of all chats after this id, in the order of their ids. `after` may be the beginning of an id. */
  listSpent(after: string, limit: number): Promise<SpentTurn[]>;
  /**
   * Returns the turn that a key started in this chat since `notBefore` (RFC 3339), with the fingerprint of its request.
   */
  findByKey(
    chatId: string,
    key: string,
    notBefore: string,
  ): Promise<{ turn: TurnRecord; fingerprint: string } | undefined>;
}
