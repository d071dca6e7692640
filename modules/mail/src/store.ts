/**
 * The memory of the module: which mails it has seen and what became of each, and what it sends. Each step is written down
 * before the next one begins, so that a process that dies anywhere is followed by one that goes on there.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** `new`: to be posted; `posted`: its turn is on; the others are ends. */
type MailState = 'new' | 'posted' | 'done' | 'ignored' | 'failed';

export interface StoredMail {
  id: number;
  /** The same for the same mail, however often and wherever it is delivered. */
  key: string;
  state: MailState;
  raw: Uint8Array;
  /** Milliseconds. */
  seen_at: number;
  /** Whose it is, once that is proved. */
  who: string | null;
  person_id: string | null;
  chat_id: string | null;
  /** Ids of its attachments in the kernel, as JSON. */
  files: string | null;
  /** Of a turn that the end of a kernel broke off: how often it was begun. */
  attempt: number;
  posted_at: number | null;
}

/** `composed`: to be sent; `sending`: it may be on its way; the others are ends. */
type OutgoingState = 'composed' | 'sending' | 'sent' | 'failed';

export interface Outgoing {
  message_id: string;
  state: OutgoingState;
  recipient: string;
  raw: Uint8Array;
  /** When it was last tried, in milliseconds; 0: never. */
  tried_at: number;
}

/** A mail that can be sent. */
export type WrittenMail = Pick<Outgoing, 'message_id' | 'recipient' | 'raw'>;

/** The chat that mails belong to, and of whom. */
interface Thread {
  chat_id: string;
  who: string;
}

const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS setup (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mailbox (
    folder TEXT PRIMARY KEY, uidvalidity TEXT NOT NULL, last_uid INTEGER NOT NULL, since INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mail (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, raw BLOB NOT NULL, seen_at INTEGER NOT NULL,
    sender TEXT, subject TEXT, who TEXT, person_id TEXT, why TEXT, chat_id TEXT, files TEXT, attempt INTEGER NOT NULL DEFAULT 1,
    posted_at INTEGER, told_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS mail_state ON mail (state, id);
  CREATE TABLE IF NOT EXISTS signature (hash TEXT PRIMARY KEY, mail_id INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS thread (message_id TEXT NOT NULL, who TEXT NOT NULL, chat_id TEXT NOT NULL,
    PRIMARY KEY (message_id, who)) STRICT;
  CREATE INDEX IF NOT EXISTS thread_chat ON thread (chat_id);
  CREATE TABLE IF NOT EXISTS outgoing (
    message_id TEXT PRIMARY KEY, state TEXT NOT NULL, recipient TEXT NOT NULL, raw BLOB NOT NULL, chat_id TEXT,
    made_at INTEGER NOT NULL, tried_at INTEGER NOT NULL DEFAULT 0, problem TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS asked (
    id TEXT PRIMARY KEY, message_id TEXT NOT NULL, chat_id TEXT, expires_at INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS word (hash TEXT PRIMARY KEY, asked_id TEXT NOT NULL, answer TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS copy (folder TEXT NOT NULL, uid INTEGER NOT NULL, PRIMARY KEY (folder, uid)) STRICT;
  CREATE TABLE IF NOT EXISTS draft (message_id TEXT PRIMARY KEY) STRICT;
`;

export class MailStore {
  readonly #database: DatabaseSync;
  /** Known to nobody else: makes ids that cannot be guessed. */
  readonly secret: string;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(TABLES);
    this.run("INSERT OR IGNORE INTO setup VALUES ('secret', ?)", randomBytes(32).toString('hex'));
    this.secret = this.get<{ value: string }>("SELECT value FROM setup WHERE name = 'secret'")!.value;
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#database.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  /** All of it happens, or nothing. */
  transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  mail(id: number): StoredMail {
    return this.get<StoredMail>('SELECT * FROM mail WHERE id = ?', id)!;
  }

  /** Ends a mail. Its text is of no use any more; the row stays, so that it is known when it comes again. */
  end(id: number, state: 'done' | 'ignored' | 'failed', why: string | null = null): void {
    this.run("UPDATE mail SET state = ?, why = ?, raw = x'' WHERE id = ?", state, why, id);
  }

  /** Puts a mail into the outbox, once. @param thread where replies to it belong */
  send({ message_id, recipient, raw }: WrittenMail, thread?: Thread): void {
    this.run(
      "INSERT OR IGNORE INTO outgoing (message_id, state, recipient, raw, chat_id, made_at) VALUES (?, 'composed', ?, ?, ?, ?)",
      ...[message_id, recipient, raw, thread?.chat_id ?? null, Date.now()],
    );
    if (thread) this.bind(message_id, thread);
  }

  /** Mails that refer to this one, and are of the same person, belong to the chat. */
  bind(message_id: string, { chat_id, who }: Thread): void {
    this.run('INSERT OR IGNORE INTO thread VALUES (?, ?, ?)', message_id, who, chat_id);
  }

  /** The chat that one of these mails belongs to, the last first, where it is one of this person. */
  chatOf(references: readonly string[], who: string): string | undefined {
    for (const reference of references.toReversed()) {
      const row = this.get<{ chat_id: string }>(
        'SELECT chat_id FROM thread WHERE message_id = ? AND who = ?',
        ...[reference, who],
      );
      if (row) return row.chat_id;
    }
    return undefined;
  }

  close(): void {
    this.#database.close();
  }
}
