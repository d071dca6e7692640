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
import type { ChatChanges, ChatWrite } from './chats.ts';
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
  questions?: boolean;
  client_id?: string;
  project_docs?: boolean;
  extra_tools?: ExtraTool[];
  anchor?: Anchor;
  tools?: string[];
  /** A module stopped the message (MOD-7). */
  blocked?: { by: string; reason: string };
}

/** Why and how long a turn sleeps. */
export interface TurnSleep {
  since: string;
  /** Null: until it is woken. */
  until: string | null;
  reason: string | null;
  /** The call of the tool `sleep` that waits for the end of it; null: the turn has not begun. */
  call_id: string | null;
}

export interface TurnRecord {
  id: string;
  chat_id: string;
  /** The user message that started it. */
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
  /** Set while it sleeps. */
  sleep: TurnSleep | null;
  /** Messages that the running step has made so far; after a crash nothing else is left of that step. */
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

/** What happens to a turn and its chat at once, written as a whole or not at all. */
export interface TurnWrite extends ChatWrite {
  turn_id: string;
  turn: TurnChanges;
  /** Id of the waiting user message that gets its position at the end of the chat, before `append`. */
  place?: string;
}

export interface IdempotencyKey {
  key: string;
  /** Hash of the request: the same key with another request has another one. */
  fingerprint: string;
  created_at: string;
}

/** How a turn enters its chat. */
export interface TurnEntry {
  /** True: the user message gets its position now; false: it waits (position null). */
  place: boolean;
  idempotency?: IdempotencyKey;
  chat?: ChatChanges;
}

export interface TurnStore {
  /** Stores a turn with its user message. */
  create(turn: TurnRecord, message: NewMessage, entry: TurnEntry): Promise<void>;
  get(chatId: string, id: string): Promise<TurnRecord | undefined>;
  write(write: TurnWrite): Promise<void>;
  /** Turns that are queued, sleeping or running, of all chats, in the order of their creation. */
  listUnfinished(): Promise<TurnRecord[]>;
  /** The turn that a key started in this chat since `notBefore` (RFC 3339), with the fingerprint of its request. */
  findByKey(
    chatId: string,
    key: string,
    notBefore: string,
  ): Promise<{ turn: TurnRecord; fingerprint: string } | undefined>;
}
