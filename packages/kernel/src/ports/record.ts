/**
 * What the store keeps. A stored block is the block of the API plus `internal`, which no API shows:
 * one key to leave out is the whole difference between the two.
 */
import type {
  Block,
  Chat,
  Effort,
  ExtraTool,
  MessageStatus,
  ModelSpend,
  NoteId,
  PlanTask,
  TurnEffort,
  TurnError,
  TurnStatus,
  Usage,
} from '@chat-kernel/protocol';

/** Where a block of a model came from, and what that provider wants to see again (thinking signatures, item ids). */
export interface Origin {
  provider: string;
  /** Metadata goes back only to the same provider and family. */
  family: string;
  metadata: unknown;
}

/** What a block carries for the kernel alone. */
export interface BlockInternal {
  /** Set where the block's step did not complete. */
  status?: 'failed' | 'aborted';
  /** The text block is a machine note of this id. */
  note?: NoteId;
  /** The text block is the compaction marker. */
  compaction?: true;
  /** The text block stands for an image the model drew. */
  drawn?: { image_id: string; media_type: string; url: string };
  /** The text block stands for an attached file. */
  file?: { id: string; name: string; size: number; media_type: string; url: string };
  /** The image block's bytes are kept under this id; its `data` is empty in the store. */
  image_id?: string;
  /** The result was made up by the kernel because the call never returned. */
  synthetic?: true;
  origin?: Origin;
}
export type StoredBlock = Block & { internal?: BlockInternal };

/** A message before the store gives it its place. */
export interface MessageDraft {
  id: string;
  chat_id: string;
  role: 'user' | 'assistant';
  turn_id: string | null;
  sender?: string;
  content: StoredBlock[];
  created_at: string;
  status: MessageStatus;
}

/** A message in its chat. Never changed once stored, so that whoever derives something from it may keep that. */
export interface StoredMessage extends MessageDraft {
  /** Order inside the chat, from 1, without gaps made by appending. Null: waits with its turn in the queue. */
  position: number | null;
}

/** A chat as stored; `turn` of the API is added by the kernel. */
export interface ChatRecord extends Omit<Chat, 'turn'> {
  plan: PlanTask[];
  /** Tokens of the prompt before any message, as last measured. */
  prefix_tokens: number;
}

/** What of a turn request counts after its message was stored. */
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
  anchor?: { chat_id: number; message_id: number };
  tools?: string[];
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
  /** What the running step has made so far; after a crash it is all there is of that step. */
  checkpoint: MessageDraft[] | null;
}

export interface ImageRecord {
  id: string;
  chat_id: string;
  media_type: string;
  created_at: string;
}

/** A file before its bytes were counted. */
export interface NewFile {
  id: string;
  /** Safe as the name of a file on any system, and in any header. */
  name: string;
  media_type: string;
  created_at: string;
}
export interface FileRecord extends NewFile {
  /** Bytes. */
  size: number;
}

export type SpendRow = ModelSpend;
