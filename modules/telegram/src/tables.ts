/** The tables of the surface, and the shapes of their rows. */
import { DatabaseSync } from 'node:sqlite';
import type { TurnStart } from '@chat-kernel/module-sdk';

/** A chat of Telegram, or a topic of a forum in it. */
export interface Place {
  chat_id: number;
  /** 0: no topic. */
  thread_id: number;
}

/** A message that became, or is to become, a turn of the kernel. */
export interface TurnRow extends Place {
  update_id: number;
  message_id: number;
  kernel_chat: string;
  /** Kept before it is posted: a repeat under the same key must be the same request. */
  request: TurnStart;
  /** Null: the kernel has not said yet that it has the message. */
  turn_id: string | null;
  /** The message in which the answer grows, where it grows in one. */
  live_message: number | null;
  taken_at: number;
}

/** What somebody wrote, by which its later edits are known. */
export interface SaidRow {
  /** The update that it came with. */
  update_id: number;
  /** Its text or caption. */
  words: string;
  /** Telegram's name of its file; '' where it has none. */
  file: string;
}

/** `voice`: answers are read aloud there. `deaf_told`: its reader knows that no model hears. */
export type Mark = 'voice' | 'deaf_told';

export interface Button {
  text: string;
  press: Press;
}

/** What a button does. */
export type Press =
  | { do: 'stop'; update_id: number }
  | { do: 'answer'; asked: number; answer?: string; decision?: string; label: string }
  | { do: 'model'; kernel_chat: string; model: string }
  | { do: 'effort'; kernel_chat: string; level: 'off' | 'low' | 'mid' | 'high' };

/** An image that a model has made. */
export interface Image {
  image_id: string;
  media_type: string;
}

export type Body =
  | { kind: 'text'; markdown: string; edit?: number; reply_to?: number; buttons?: Row[] }
  /** Not a word of it is read as Markdown. */
  | { kind: 'exact'; text: string; edit?: number; buttons?: Row[] }
  | { kind: 'document'; name: string; text: string }
  | ({ kind: 'image' } & Image)
  /** Two to ten. */
  | { kind: 'album'; images: Image[] }
  /** A file that the kernel keeps; `photo`: shown as one, where Telegram takes it. */
  | { kind: 'file'; file_id: string; name: string; photo: boolean }
  /** A text, read aloud. */
  | { kind: 'voice'; markdown: string };
/** A row of buttons as Telegram gets them. */
export type Row = { text: string; callback_data: string }[];

export interface Outgoing extends Place {
  id: number;
  body: Body;
  /** `sending`: Telegram was asked, and the answer is not known. */
  state: 'waiting' | 'sending' | 'sent' | 'failed';
  message_id: number | null;
}

/** A request of the kernel that was shown. */
export interface Asked {
  id: number;
  request_id: string;
  /** -1: an operation. */
  question: number;
  kernel_chat: string;
  text: string;
  /** The message with the buttons. */
  outgoing: number;
  open: 0 | 1;
}

const TABLES = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS seen (update_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS conversation (
    chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, kernel_chat TEXT NOT NULL,
    PRIMARY KEY (chat_id, thread_id)
  );
  CREATE TABLE IF NOT EXISTS turn (
    update_id INTEGER PRIMARY KEY, chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, message_id INTEGER NOT NULL,
    kernel_chat TEXT NOT NULL, request TEXT NOT NULL, turn_id TEXT, live_message INTEGER, taken_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS outgoing (
    id INTEGER PRIMARY KEY AUTOINCREMENT, chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, body TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting', message_id INTEGER, at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS outgoing_open ON outgoing (id) WHERE state IN ('waiting', 'sending');
  CREATE TABLE IF NOT EXISTS button (token TEXT PRIMARY KEY, press TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS asked (
    id INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL, question INTEGER NOT NULL, kernel_chat TEXT NOT NULL,
    text TEXT NOT NULL, outgoing INTEGER NOT NULL, open INTEGER NOT NULL DEFAULT 1, UNIQUE (kernel_chat, request_id, question)
  );
  CREATE TABLE IF NOT EXISTS part (update_id INTEGER PRIMARY KEY, turn INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS said (
    chat_id INTEGER NOT NULL, message_id INTEGER NOT NULL, update_id INTEGER NOT NULL, words TEXT NOT NULL,
    file TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (chat_id, message_id)
  );
  CREATE TABLE IF NOT EXISTS mark (
    chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (chat_id, thread_id, mark)
  );
  CREATE TABLE IF NOT EXISTS refused (user_id INTEGER PRIMARY KEY);
`;

export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(TABLES);
  return database;
}
