/**
 * What the store keeps. A stored block is the block of the API plus `internal`, which no API shows:
 * one key to leave out is the whole difference between the two.
 */
import type {
  Anchor,
  Block,
  Book,
  BookUnit,
  Chat,
  Effort,
  ExtraTool,
  InitializeResult,
  MessageStatus,
  ModelSpend,
  NoteId,
  PlanTask,
  Subscription,
  TurnEffort,
  TurnError,
  TurnStatus,
  Usage,
  Video,
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
  /** The text block is the compaction marker; this is what history before it was folded into (HIST-1). */
  compaction?: { text: string; upto_message: string };
  /** The outputs of these calls no longer go to the model (HIST-2). */
  squeezed?: string[];
  /** What the model knows by this block: fingerprints of the plan and the notebook. */
  told?: { plan?: string; notebook?: string };
  /** The text block stands for an image the model drew. */
  drawn?: { image_id: string; media_type: string; url: string };
  /** The text block stands for an attached file. */
  file?: { id: string; name: string; size: number; media_type: string; url: string };
  /** Of such a block: where on the client's machine the file is to be before the model runs. */
  deliver_to?: string;
  /** The image block's bytes are kept under this id; its `data` is empty in the store. */
  image_id?: string;
  /** The image belongs to the result of this call: it is no attachment of a user. */
  of_call?: string;
  /** The result was made up by the kernel because the call never returned. */
  synthetic?: true;
  origin?: Origin;
  /** The call, or its result, is the kernel's own: the model is told of neither. */
  kernel?: true;
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
  notebook: string;
  /** When the notebook was last written; null: never. */
  notebook_at: string | null;
  /** Tokens of prompt and answer of the last trip: what the history weighs; 0 where nobody has counted. */
  context_tokens: number;
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

/** The kernel as a whole sleeps: turns that arrive wait. */
export interface KernelSleep {
  since: string;
  until: string | null;
  reason: string | null;
}

/** A message that a search found. */
export interface SearchHit {
  chat_id: string;
  message_id: string;
  /** What stands around the words, a line; they stand between ** and **. */
  snippet: string;
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
  /** What the running step has made so far; after a crash it is all there is of that step. */
  checkpoint: MessageDraft[] | null;
}

/** What is known of a module, also while it is down (MOD-9). */
export interface ModuleRecord {
  name: string;
  /** As it declared itself last. */
  declaration: InitializeResult;
  /** Of its version, tools and stages: what an approval is bound to. */
  hash: string;
  /** The hash that was approved; null: none was, or it was revoked. */
  approved_hash: string | null;
  /** When that was decided. */
  decided_at: string | null;
}

/** Somebody who talks through surfaces. */
export interface PersonRecord {
  id: string;
  name: string | null;
  master: boolean;
  trusted: boolean;
  /** At least one. */
  external_ids: { surface: string; external_id: string }[];
  created_at: string;
}

/** How many messages a judge engaged, and how many of them got a reply. */
export interface TriageCounts {
  engaged: number;
  responded: number;
}

/** A lasting permission: operations of this action in this chat need no dialog (OP-14). */
export interface ApprovalRecord {
  id: string;
  chat_id: string;
  action: string;
  /** Of the action shell: exactly this one. Null for the others. */
  command: string | null;
  created_at: string;
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

/** A video that was watched; the order of its shelf is the store's. */
export type VideoRecord = Video;
/** A channel that is followed. */
export type SubscriptionRecord = Subscription;

/** A book before its text was counted. */
export interface NewBook extends Omit<Book, 'count' | 'chars'> {
  /** Of the bytes of its file, in hex: the same bytes are the same book, once on a shelf. */
  sha256: string;
}
export interface BookRecord extends NewBook, Pick<Book, 'count' | 'chars'> {}

/** Where in its book a part stands. */
export interface BookPlace {
  /** Its page, chapter or section, from 1; of a text without any, 1. */
  section: number;
  /** The heading of that section. */
  title: string | null;
  /** Which of the parts of its section it is, from 1, and how many there are. */
  piece: number;
  pieces: number;
  /** Its first and last line in the file, from 1; null where a file has no lines to speak of. */
  line: number | null;
  last_line: number | null;
}

/** Some paragraphs of a book, in their order: what a search finds, and what is read at once. */
export interface BookPart extends BookPlace {
  text: string;
}

/** A part, by its number in the book, from 1. */
export interface NumberedPart extends BookPart {
  n: number;
}

/** A part that a search found. */
export interface BookHit {
  book_id: string;
  title: string;
  unit: BookUnit;
  place: BookPlace;
  /** As of a SearchHit. */
  snippet: string;
}

export type SpendRow = ModelSpend;
/** What a model used on a day (YYYY-MM-DD, where the settings say that days begin). */
export interface DaySpend extends Usage {
  day: string;
  model: string;
}
