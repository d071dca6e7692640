/**
 * Stores the received emails with their states, and the outbox. Each step is stored before the next one begins, so that a
 * restarted process continues where the last one stopped.
 */
import { randomBytes } from 'node:crypto';
import { Chats, SurfaceStore } from '@chat-kernel/module-sdk/surface';

/** How long Message-IDs are kept: longer than the age at which an email still counts. */
const KEEP_IDS_MS = 4 * 24 * 3600_000;

/** `new`: not posted yet; `posted`: its turn is running; the other states are final. */
type MailState = 'new' | 'posted' | 'done' | 'ignored' | 'failed';

export interface StoredMail {
  id: number;
  /** The same for the same mail, no matter how often it is delivered. */
  key: string;
  state: MailState;
  raw: Uint8Array;
  /** Milliseconds. */
  seen_at: number;
  /** The address in its From header. */
  sender: string | null;
  subject: string | null;
  /** The verified sender. */
  who: string | null;
  person_id: string | null;
  chat_id: string | null;
  /** Ids of its attachments in the kernel, as JSON. */
  files: string | null;
  /** How often the turn was started, including starts that a kernel stop interrupted. */
  attempt: number;
  posted_at: number | null;
}

/** `composed`: waiting. `sending`: the outcome is unknown. The other states are final. */
type OutgoingState = 'composed' | 'sending' | 'sent' | 'failed';

export interface Outgoing {
  message_id: string;
  state: OutgoingState;
  recipient: string;
  raw: Uint8Array;
  /** The time of the last attempt, in milliseconds; 0: never. */
  tried_at: number;
}

/** An email that can be sent. */
export type WrittenMail = Pick<Outgoing, 'message_id' | 'recipient' | 'raw'>;

/** A chat and the person that it belongs to. */
interface Thread {
  chat_id: string;
  who: string;
}

const VERSION_1 = `
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

/** Replaces the signatures by the ids of recent emails. Those of known threads may be recent. */
const VERSION_2 = `
  CREATE TABLE seen (message_id TEXT NOT NULL, sender TEXT NOT NULL, mail_id INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (message_id, sender)) STRICT;
  INSERT OR IGNORE INTO seen SELECT message_id, sender, 0, unixepoch() * 1000 FROM thread, mail USING (chat_id)
    WHERE sender IS NOT NULL;
  DROP TABLE signature;
`;

export class MailStore extends SurfaceStore {
  /** A secret that makes ids unpredictable. */
  readonly secret: string;
  readonly #threads = new Chats(this, { table: 'thread', key: ['message_id', 'who'], chat: 'chat_id' });

  constructor(file: string) {
    super(file, [VERSION_1, VERSION_2]);
    this.run("INSERT OR IGNORE INTO setup VALUES ('secret', ?)", randomBytes(32).toString('hex'));
    this.secret = this.get<{ value: string }>("SELECT value FROM setup WHERE name = 'secret'")!.value;
  }

  mail(id: number): StoredMail {
    return this.get<StoredMail>('SELECT * FROM mail WHERE id = ?', id)!;
  }

  /** Ends an email. Clears its text, but keeps the row to recognize the email if it arrives again. */
  end(id: number, state: 'done' | 'ignored' | 'failed', why: string | null = null): void {
    this.run("UPDATE mail SET state = ?, why = ?, raw = x'' WHERE id = ?", state, why, id);
  }

  /** Claims a Message-ID for an email. False: another email of the sender has it. */
  claim(message_id: string, sender: string, mailId: number): boolean {
    const now = Date.now();
    this.run('DELETE FROM seen WHERE at < ?', now - KEEP_IDS_MS);
    this.run('INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)', message_id, sender, mailId, now);
    const sql = 'SELECT mail_id FROM seen WHERE message_id = ? AND sender = ?';
    return this.get<{ mail_id: number }>(sql, message_id, sender)?.mail_id === mailId;
  }

  /** The Message-ID that an email has claimed, or null. */
  messageIdOf(mailId: number): string | null {
    const sql = 'SELECT message_id FROM seen WHERE mail_id = ?';
    return this.get<{ message_id: string }>(sql, mailId)?.message_id ?? null;
  }

  /** Adds an email to the outbox, once. @param thread the chat that replies belong to */
  send({ message_id, recipient, raw }: WrittenMail, thread?: Thread): void {
    this.run(
      "INSERT OR IGNORE INTO outgoing (message_id, state, recipient, raw, chat_id, made_at) VALUES (?, 'composed', ?, ?, ?, ?)",
      ...[message_id, recipient, raw, thread?.chat_id ?? null, Date.now()],
    );
    if (thread) this.bind(message_id, thread);
  }

  /** Emails that refer to this one, and are from the same person, belong to the chat. */
  bind(message_id: string, { chat_id, who }: Thread): void {
    if (this.#threads.find(message_id, who) === undefined) this.#threads.bind(chat_id, message_id, who);
  }

  /** Finds the chat of one of these emails, the last ones first, if it belongs to this person. */
  chatOf(references: readonly string[], who: string): string | undefined {
    for (const reference of references.toReversed()) {
      const chat = this.#threads.find(reference, who);
      if (chat !== undefined) return chat;
    }
    return undefined;
  }

  /** Forgets the deleted chat of an email, so that its thread continues in a new one. */
  forgetChat({ id, chat_id }: StoredMail): void {
    this.transaction(() => {
      if (chat_id !== null) this.#threads.forget(chat_id);
      this.run('UPDATE mail SET chat_id = NULL WHERE id = ?', id);
    });
  }
}
