/** Defines the tables of the module and the types of their rows. */
import type { TurnStart } from '@chat-kernel/module-sdk';

/** A Telegram chat, or a topic in a forum. */
export interface Conversation {
  chat_id: number;
  /** 0: no topic. */
  thread_id: number;
}

/** A message that is, or will become, a turn of the kernel. */
export interface TurnRow extends Conversation {
  update_id: number;
  message_id: number;
  kernel_chat: string;
  /** Stored before it is posted, because a repeat with the same key must be the same request. */
  request: TurnStart;
  /** Null: the kernel has not confirmed the message yet. */
  turn_id: string | null;
  /** The message that shows the preview, if there is one. */
  live_message: number | null;
  taken_at: number;
}

/** A received message, stored to recognize later edits. */
export interface ReceivedMessage {
  /** The update that it came with. */
  update_id: number;
  /** Its text or caption. */
  words: string;
  /** The Telegram id of its file, or '' without a file. */
  file: string;
}

/** `voice`: answers are also sent as speech. `deaf_told`: the user got the notice that no transcription model is configured. */
export type Mark = 'voice' | 'deaf_told';

export interface Button {
  text: string;
  press: Press;
}

/** The action of a button. */
export type Press =
  | { do: 'stop'; update_id: number }
  | { do: 'answer'; asked: number; answer?: string; decision?: string; label: string }
  | { do: 'model'; kernel_chat: string; model: string }
  | { do: 'effort'; kernel_chat: string; level: 'off' | 'low' | 'mid' | 'high' };

/** An image created by a model. */
export interface Image {
  image_id: string;
  media_type: string;
}

/** The turn of an answer. */
export interface AnswerId {
  update_id: number;
  kernel_chat: string;
}

export type Body = Content & {
  /** The answer that the message is a piece of. */
  answer?: AnswerId;
  /** Reports work that was given up. It is always sent, so that no notice is about a notice. */
  notice?: true;
};
type Content =
  | { kind: 'text'; markdown: string; edit?: number; reply_to?: number; buttons?: Row[] }
  /** Plain text, not parsed as Markdown. */
  | { kind: 'exact'; text: string; edit?: number; buttons?: Row[] }
  | { kind: 'document'; name: string; text: string }
  | ({ kind: 'image' } & Image)
  /** Two to ten. */
  | { kind: 'album'; images: Image[] }
  /** A file stored by the kernel; `photo`: shown as a photo, if Telegram accepts it. */
  | { kind: 'file'; file_id: string; name: string; photo: boolean }
  /** A text to send as speech. */
  | { kind: 'voice'; markdown: string };
/** A row of buttons in Telegram's format. */
export type Row = { text: string; callback_data: string }[];

export interface Outgoing extends Conversation {
  id: number;
  body: Body;
  /** `sending`: the request was sent to Telegram, and the outcome is not known. */
  state: 'waiting' | 'sending' | 'sent' | 'failed';
  message_id: number | null;
}

/** The parts that identify a request. */
export interface RequestIds {
  request_id: string;
  /** -1: an operation. */
  question: number;
  kernel_chat: string;
}

/** A request of the kernel that was shown. */
export interface RequestRow extends RequestIds {
  id: number;
  text: string;
  /** The message with the buttons. */
  outgoing: number;
  open: 0 | 1;
}

/** The SQL for each version of the tables. */
export const VERSIONS = [
  `
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
`,
];
