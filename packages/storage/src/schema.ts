/** The tables, as Kysely sees them. What is an object in a record is JSON text in its row. */
import type {
  ChatRecord,
  FileRecord,
  ImageRecord,
  MessageDraft,
  SpendRow,
  TurnRecord,
} from '@chat-kernel/kernel';
import type { Kysely } from 'kysely';

type Encoded<Record, Json extends keyof Record> = Omit<Record, Json> & {
  [Column in Json]: null extends Record[Column] ? string | null : string;
};

export interface ChatRow extends Encoded<ChatRecord, 'toolset' | 'summary' | 'plan'> {
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

export type TurnRow = Encoded<TurnRecord, 'effort' | 'usage' | 'error' | 'parameters' | 'checkpoint'>;

/** Folders of the data directory that hold the bytes of rows. */
export type Folder = 'images' | 'files';

export interface Schema {
  meta: { key: string; value: string };
  chats: ChatRow;
  messages: MessageRow;
  turns: TurnRow;
  /** `cost_usd` is null once the cost of any part is unknown. */
  spend: SpendRow & { chat_id: string };
  idempotency: { chat_id: string; key: string; turn_id: string; fingerprint: string; created_at: string };
  images: ImageRecord;
  /** `used_at`: when a message last began or ceased to use it, at first when it was uploaded. */
  files: FileRecord & { used_at: string };
  file_uses: { message_id: string; file_id: string };
  /** Bytes on disk that no row needs: named before the file exists and until it is gone. */
  leftovers: { id: string; folder: Folder };
}

/** The database, or a transaction in it. */
export type Db = Kysely<Schema>;
