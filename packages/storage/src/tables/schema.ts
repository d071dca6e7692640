/** The tables, as Kysely sees them. What is an object in a record, or must not lose a character, is JSON text in its row. */
import type {
  ApprovalRecord,
  BookRecord,
  ChatRecord,
  DaySpend,
  FileRecord,
  ImageRecord,
  MessageDraft,
  ModuleRecord,
  NumberedPart,
  PersonRecord,
  SpendRow,
  TriageCounts,
  TurnRecord,
} from '@chat-kernel/kernel';
import type { Generated, Kysely } from 'kysely';

type Encoded<Record, Json extends keyof Record> = Omit<Record, Json> & {
  [Column in Json]: null extends Record[Column] ? string | null : string;
};

export interface ChatRow extends Encoded<ChatRecord, 'toolset' | 'summary' | 'plan' | 'notebook'> {
  /** The title as the search compares it. */
  title_search: string | null;
  /** Position of the newest placed message; 0 where there is none. */
  last_position: number;
}

export interface MessageRow extends Omit<MessageDraft, 'content' | 'sender'> {
  sender: string | null;
  content: string;
  position: number | null;
}
/** What messages are found by. */
interface Findable {
  /** The kind of message that is looked for among many; null: none of those. */
  marker: Generated<'compaction' | null>;
  /** The number of what it says; null: nothing, or it still waits. */
  text_id: Generated<number | null>;
}

export type TurnRow = Encoded<
  TurnRecord,
  'effort' | 'usage' | 'error' | 'parameters' | 'checkpoint' | 'sleep'
>;

/** Folders of the data directory that hold the bytes of rows. */
export type Folder = 'images' | 'files';

export interface Schema {
  meta: { key: string; value: string };
  chats: ChatRow;
  messages: MessageRow & Findable;
  /** What messages say, by its words; of the database's own kind. */
  texts: { rowid: Generated<number>; words: string };
  turns: TurnRow;
  /** `cost_usd` is null once the cost of any part is unknown. */
  spend: SpendRow & { chat_id: string };
  idempotency: { chat_id: string; key: string; turn_id: string; fingerprint: string; created_at: string };
  /** `chat_id`: the chat that it came with, which may be gone. */
  images: ImageRecord;
  image_uses: { chat_id: string; image_id: string };
  /** `used_at`: when a message last began or ceased to use it, at first when it was uploaded. */
  files: FileRecord & { used_at: string };
  file_uses: { message_id: string; file_id: string };
  approvals: Encoded<ApprovalRecord, 'command'>;
  modules: Encoded<ModuleRecord, 'declaration'>;
  /** `master` and `trusted`: 1 or 0, for SQLite knows no booleans. */
  persons: Pick<PersonRecord, 'id' | 'name' | 'created_at'> & { master: number; trusted: number };
  person_ids: PersonRecord['external_ids'][number] & { person_id: string };
  triage: TriageCounts & { id: number };
  /** Like `spend`, of what no chat pays for. */
  side_spend: SpendRow;
  /** Of all that is spent, whoever pays; `cost_usd` as in `spend`. */
  spend_by_day: DaySpend;
  /** `place`: grows with each mark. `record`: the whole of it. */
  video_history: { video_id: string; place: number; record: string };
  /** One row, which whoever marks a video holds until it is done. */
  video_places: { id: number; last: number };
  subscriptions: { channel_id: string; record: string };
  /** `whole`: 1, or 0 while the book is on its way to its shelf, or from it. */
  books: BookRecord & { whole: number };
  /** `title_search`: as the search for headings compares it. `text_id`: null where it has no words. */
  book_parts: NumberedPart & { book_id: string; title_search: string | null; text_id: number | null };
  /** What parts of books say, as `texts`. */
  book_texts: { rowid: Generated<number>; words: string };
  /** Bytes on disk that no row needs: named before the file exists and until it is gone. */
  leftovers: { id: string; folder: Folder };
}

/** The database, or a transaction in it. */
export type Db = Kysely<Schema>;
