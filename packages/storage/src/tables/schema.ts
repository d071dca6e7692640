/** The tables, typed for Kysely. Objects of a record, and text in which every character matters, are stored as JSON. */
import type {
  ApprovalRecord,
  ChatRecord,
  DaySpend,
  FileRecord,
  ImageRecord,
  KernelRecord,
  ModuleRecord,
  NewMessage,
  PersonRecord,
  SharedLine,
  SpendRow,
  TriageCounts,
  TurnRecord,
} from '@chat-kernel/kernel';
import type { BytePlace, RunStatus } from '@chat-kernel/protocol';
import type { Generated, Kysely } from 'kysely';

/** The type of a stored value: an object as JSON, and a boolean as 1 or 0, because SQLite has none. */
type Kept<Value> = Value extends boolean ? number : Value extends object ? string : Value;
/** The columns of a record. `Json` names texts that are stored as JSON as well. */
export type Encoded<Record, Json extends keyof Record = never> = {
  [Column in keyof Record]: Column extends Json
    ? string | Extract<Record[Column], null | undefined>
    : Kept<Record[Column]>;
};

export interface ChatRow extends Encoded<ChatRecord, 'notebook'> {
  /** The title as the search compares it. */
  title_search: string | null;
  /** Position of the newest placed message; 0 if there is none. */
  last_position: number;
  /** The id of the kernel that owns the chat; null, or an id that is not among the kernels: no owner. */
  owner: string | null;
  /** Increases whenever the chat gets another owner. */
  epoch: number;
}

export interface MessageRow extends Omit<NewMessage, 'content' | 'sender'> {
  sender: string | null;
  content: string;
  position: number | null;
}
/** The columns by which messages are found. */
interface Findable {
  /** Set on the kinds of messages that are searched among many. */
  marker: Generated<'compaction' | null>;
  /** The number of its text; 0: it is not indexed yet; null: it has no text. */
  text_id: Generated<number | null>;
}

/** A version of a chat that is not its present (EDIT-2). */
interface VersionRow {
  /** The id of its first message. */
  id: string;
  chat_id: string;
  /** The version in which its place is; null: the place is in the present of the chat. */
  inside: string | null;
  /** The position of its first message. */
  position: number;
  /** The summary of the chat when the version left it, as JSON. */
  summary: string | null;
}

export type TurnRow = Encoded<TurnRecord>;

/** Kinds of rows that have bytes, and folders of the data directory. */
export type Folder = 'images' | 'files';

export interface Schema {
  meta: { key: string; value: string };
  chats: ChatRow;
  messages: MessageRow & Findable;
  versions: VersionRow;
  version_messages: Omit<MessageRow, 'chat_id' | 'position'> &
    Pick<Findable, 'marker'> & { version_id: string; position: number };
  /** The search terms of messages; the table type depends on the database. */
  texts: { rowid: Generated<number>; words: string };
  turns: TurnRow;
  /** `cost_usd` is null once the cost of any part is unknown. */
  spend: SpendRow & { chat_id: string };
  idempotency: { chat_id: string; key: string; turn_id: string; fingerprint: string; created_at: string };
  images: ImageRecord;
  image_uses: { chat_id: string; image_id: string };
  /**
   * `source`: the program that the conversation comes from. `key`: its id there. `fingerprint`: a hash of the imported
   * data.
   */
  imports: { source: string; key: string; fingerprint: string; chat_id: string };
  /** `kernel`: the name of its machine. `note`: all fields as JSON. */
  edits: { op_id: string; chat_id: string; kernel: string; note: string };
  /** `used_at`: when a message last started or stopped using it, initially the upload. */
  files: FileRecord & { used_at: string };
  file_uses: { message_id: string; file_id: string };
  version_file_uses: { message_id: string; file_id: string };
  approvals: Encoded<
    ApprovalRecord,
    'command' | 'workdir' | 'client_id' | 'hands' | 'prefix' | 'target' | 'outside'
  >;
  /** `chat_id` null: outside of chats. `record`: all other fields as JSON. */
  decisions: { id: string; chat_id: string | null; record: string };
  modules: Encoded<ModuleRecord>;
  persons: Encoded<Omit<PersonRecord, 'external_ids'>, 'name'>;
  person_ids: PersonRecord['external_ids'][number] & { person_id: string };
  triage: TriageCounts & { id: number };
  /** Like `spend`, for everything outside of chats, and for deleted chats. */
  side_spend: SpendRow;
  /** Counts for deleted chats: `chats` themselves, `messages`, and ended turns by their status. */
  gone_counts: { what: 'chats' | 'messages' | TurnRecord['status']; number: number };
  /**
   * All spend, in chats and outside; `cost_usd` as in `spend`. The spend of a day and a model is the sum of one row or
   * more, each with another `part`.
   */
  day_spend: DaySpend & { part: string };
  /** Recorded by versions before 28. */
  spend_by_day: DaySpend;
  /** `place`: increases with each mark. `record`: all fields as JSON. */
  video_history: { video_id: string; place: number; record: string };
  /** A single row, which a transaction that marks a video locks until its end. */
  video_places: { id: number; last: number };
  subscriptions: { channel_id: string; record: string };
  /** `record`: all other fields as JSON. */
  push_subscriptions: { id: string; endpoint: string; created_at: string; record: string };
  /** `record`: all other fields as JSON. */
  memory: { id: string; created_at: string; record: string };
  /** `record`: all other fields as JSON. */
  memory_proposals: { id: string; created_at: string; record: string };
  /** `client_id` and `record` (all other fields): as JSON. */
  hands: { client_id: string; record: string };
  /** `record`: all other fields as JSON. */
  schedules: {
    id: string;
    created_at: string;
    next_at: string | null;
    chat_id: string | null;
    record: string;
  };
  /** `status` null: use that of the turn, and its times and error. */
  schedule_runs: {
    schedule_id: string;
    due_at: string;
    chat_id: string | null;
    turn_id: string | null;
    status: RunStatus | null;
    started_at: string | null;
    ended_at: string | null;
    error: string | null;
  };
  /** `whole`: 1, or 0 while the book is being added to its shelf or removed from it. */
  books: {
    id: string;
    shelf: string;
    title: string;
    author: string | null;
    format: 'pdf' | 'epub' | 'html' | 'markdown' | 'text';
    file_name: string;
    size: number;
    sha256: string;
    unit: 'page' | 'chapter' | 'section' | 'line';
    count: number;
    chars: number;
    created_at: string;
    whole: number;
  };
  /** `title_search`: as the search for headings compares it. `text_id`: null if it has no words. */
  book_parts: {
    book_id: string;
    n: number;
    section: number;
    title: string | null;
    title_search: string | null;
    piece: number;
    pieces: number;
    line: number | null;
    last_line: number | null;
    text: string;
    text_id: number | null;
  };
  /** The search terms of parts of books, like `texts`. */
  book_texts: { rowid: Generated<number>; words: string };
  /** The living kernels, if several share the database; `seen_at`: milliseconds by its clock. */
  kernels: Omit<KernelRecord, 'here' | 'turns'> & { boot: number; seen_at: number };
  kernel_events: Encoded<SharedLine>;
  /** `name`: the group of the tools. `record`: the group and its tools as JSON. */
  brought_tools: { kernel: string; name: string; record: string };
  /** The possible cost of a provider request in progress; ignored if its kernel is not alive. */
  spend_reservations: { id: string; kernel: string; usd: number; tokens: number };
  /**
   * Bytes that no row needs: listed before they exist and until they are deleted. `kernel`: the one working on them, if
   * several share the database.
   */
  leftovers: { id: string; folder: Folder; kernel: string | null };
  /**
   * The backend of bytes; those without a row are in the data directory. `also`: the backend in which a move has, or
   * may have, a second copy. `upload`: the id of a multipart upload in S3. `size` and `sha256` are known once all bytes
   * are stored.
   */
  stored_bytes: {
    id: string;
    folder: Folder;
    store: BytePlace;
    also: BytePlace | null;
    upload: string | null;
    size: number | null;
    sha256: string | null;
  };
  /** The bytes in the database, in order; all chunks of an id except the last have the same size. */
  byte_chunks: { id: string; n: number; bytes: Uint8Array };
}

/** The database, or a transaction in it. */
export type Db = Kysely<Schema>;
