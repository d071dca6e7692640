/** The tables, as Kysely sees them. Objects of a record, and text that must not lose a character, are JSON in their rows. */
import type {
  ApprovalRecord,
  BookRecord,
  ChatRecord,
  DaySpend,
  FileRecord,
  ImageRecord,
  ImportRecord,
  KernelRecord,
  ModuleRecord,
  NewMessage,
  NumberedPart,
  PersonRecord,
  RunRecord,
  SharedLine,
  SpendRow,
  TriageCounts,
  TurnRecord,
} from '@chat-kernel/kernel';
import type { BytePlace } from '@chat-kernel/protocol';
import type { Generated, Kysely } from 'kysely';

type Encoded<Record, Json extends keyof Record> = Omit<Record, Json> & {
  [Column in Json]: null extends Record[Column] ? string | null : string;
};

export interface ChatRow extends Encoded<ChatRecord, 'toolset' | 'summary' | 'plan' | 'notebook'> {
  /** The title as the search compares it. */
  title_search: string | null;
  /** Position of the newest placed message; 0 where there is none. */
  last_position: number;
  /** The id of the kernel whose chat it is; null, or of one that is not among the kernels: nobody's. */
  owner: string | null;
  /** Grows whenever the chat gets another owner. */
  epoch: number;
}

export interface MessageRow extends Omit<NewMessage, 'content' | 'sender'> {
  sender: string | null;
  content: string;
  position: number | null;
}
/** The columns by which messages are found. */
interface Findable {
  /** Set on the kinds of messages that are looked for among many. */
  marker: Generated<'compaction' | null>;
  /** The number of its text; null: it says nothing, or still waits. */
  text_id: Generated<number | null>;
}

export type TurnRow = Encoded<
  TurnRecord,
  'effort' | 'usage' | 'error' | 'parameters' | 'checkpoint' | 'sleep'
>;

/** Kinds of rows that have bytes; the folders of the data directory that hold them. */
export type Folder = 'images' | 'files';

export interface Schema {
  meta: { key: string; value: string };
  chats: ChatRow;
  messages: MessageRow & Findable;
  /** The words of messages; a table of the database's own kind. */
  texts: { rowid: Generated<number>; words: string };
  turns: TurnRow;
  /** `cost_usd` is null once the cost of any part is unknown. */
  spend: SpendRow & { chat_id: string };
  idempotency: { chat_id: string; key: string; turn_id: string; fingerprint: string; created_at: string };
  images: ImageRecord;
  image_uses: { chat_id: string; image_id: string };
  imports: ImportRecord;
  /** `kernel`: the name of its machine. `note`: all fields as JSON. */
  edits: { op_id: string; chat_id: string; kernel: string; note: string };
  /** `used_at`: when a message last began or ceased to use it, at first when it was uploaded. */
  files: FileRecord & { used_at: string };
  file_uses: { message_id: string; file_id: string };
  approvals: Encoded<ApprovalRecord, 'command' | 'workdir' | 'client_id' | 'hands' | 'prefix'>;
  modules: Encoded<ModuleRecord, 'declaration' | 'approved_declaration'>;
  /** `master` and `trusted`: 1 or 0, for SQLite knows no booleans. */
  persons: Pick<PersonRecord, 'id' | 'name' | 'created_at'> & { master: number; trusted: number };
  person_ids: PersonRecord['external_ids'][number] & { person_id: string };
  triage: TriageCounts & { id: number };
  /** Like `spend`, for what belongs to no chat, or belonged to one that is deleted. */
  side_spend: SpendRow;
  /** What was in chats that are deleted: `chats` themselves, `messages`, and ended turns by their status. */
  gone_counts: { what: 'chats' | 'messages' | TurnRecord['status']; number: number };
  /** All spend, in chats and outside; `cost_usd` as in `spend`. */
  spend_by_day: DaySpend;
  /** `place`: grows with each mark. `record`: all fields as JSON. */
  video_history: { video_id: string; place: number; record: string };
  /** A single row, which a transaction that marks a video holds until its end. */
  video_places: { id: number; last: number };
  subscriptions: { channel_id: string; record: string };
  /** `record`: all other fields as JSON. */
  push_subscriptions: { id: string; endpoint: string; created_at: string; record: string };
  /** `record`: all other fields as JSON. */
  memory: { id: string; created_at: string; record: string };
  /** `client_id` and `record`, which holds all other fields: as JSON. */
  hands: { client_id: string; record: string };
  /** `record`: all other fields as JSON. */
  schedules: {
    id: string;
    created_at: string;
    next_at: string | null;
    chat_id: string | null;
    record: string;
  };
  /** `status` null: that of the turn counts, and its times and error. */
  schedule_runs: Omit<RunRecord, 'error' | 'status'> & {
    status: RunRecord['status'] | null;
    error: string | null;
  };
  /** `whole`: 1, or 0 while the book is on its way to its shelf, or from it. */
  books: BookRecord & { whole: number };
  /** `title_search`: as the search for headings compares it. `text_id`: null where it has no words. */
  book_parts: NumberedPart & { book_id: string; title_search: string | null; text_id: number | null };
  /** The words of parts of books, as `texts`. */
  book_texts: { rowid: Generated<number>; words: string };
  /** The kernels that live, where several share the database; `seen_at`: milliseconds by its clock. */
  kernels: Omit<KernelRecord, 'here' | 'turns'> & { boot: number; seen_at: number };
  /** `told`: 1 or 0. */
  kernel_events: Omit<SharedLine, 'told'> & { told: number };
  /** `name`: the group of the tools. `record`: the group and its tools as JSON. */
  brought_tools: { kernel: string; name: string; record: string };
  /** What a trip that is under way may cost; void where its kernel does not live. */
  spend_reservations: { id: string; kernel: string; usd: number; tokens: number };
  /**
   * Bytes that no row needs: named before they exist and until they are gone. `kernel`: which one is at it, where several
   * share the database.
   */
  leftovers: { id: string; folder: Folder; kernel: string | null };
  /**
   * Where bytes lie; those without a row lie in the data directory. `also`: where a move has, or may have, a second copy.
   * `upload`: the id by which S3 knows an upload in parts. `size` and `sha256` are known once all of it is there.
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
  /** The bytes that lie in the database, in order; all chunks of an id but the last have the same size. */
  byte_chunks: { id: string; n: number; bytes: Uint8Array };
}

/** The database, or a transaction in it. */
export type Db = Kysely<Schema>;
