/**
 * The mailbox, read over IMAP: each mail is written down once, in order, and the connection waits for the next one (IDLE). A
 * connection that breaks is opened again and goes on behind the last mail that was written down.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@chat-kernel/module-sdk';
import { type FetchMessageObject, ImapFlow } from 'imapflow';
import { incomingOf, keyOf } from './incoming.ts';
import { type MailServer, type MailSettings, passwordOf } from './settings.ts';
import type { MailStore } from './store.ts';

/** Waits between attempts to connect, milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 60_000;
const IDLE_AFTER_MS = 20;
/** How long a silent connection is believed to be whole. */
const LOOK_AGAIN_MS = 120_000;

export class Mailbox {
  readonly #settings: MailSettings;
  readonly #store: MailStore;
  readonly #log: Logger;
  /** Called when mails were written down. */
  readonly #onNews: () => void;
  #client: ImapFlow | undefined;
  #wake: () => void = () => {};
  /** The time since which every mail that had come before is written down. */
  caughtUpAt = 0;

  constructor(settings: MailSettings, store: MailStore, log: Logger, onNews: () => void) {
    this.#settings = settings;
    this.#store = store;
    this.#log = log;
    this.#onNews = onNews;
  }

  /** Reads until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#client?.close());
    let wait = FIRST_WAIT;
    while (!signal.aborted) {
      const began = Date.now();
      try {
        await this.#session(signal);
      } catch (error) {
        if (!signal.aborted) this.#log.warn(`The mailbox is away: ${sentenceOf(error)}`);
      }
      // A connection that was of use does not make the next wait longer.
      wait = this.caughtUpAt >= began ? FIRST_WAIT : Math.min(wait * 2, LONGEST_WAIT);
      await pause(wait * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }

  /** Looks for new mails now. */
  look(): void {
    this.#wake();
  }

  /** Whether a folder of sent mails has this one. @throws Error where the mailbox is away */
  async hasSent(message_id: string): Promise<boolean> {
    return this.#inFolder('\\Sent', 'Sent', async client => {
      const found = await client.search({ header: { 'message-id': message_id } }, { uid: true });
      return Array.isArray(found) && found.length > 0;
    });
  }

  /** Files a draft, once: one that is there already stays. @throws Error where the mailbox is away */
  async fileDraft(message_id: string, raw: Uint8Array): Promise<void> {
    await this.#inFolder('\\Drafts', 'Drafts', async (client, path) => {
      const found = await client.search({ header: { 'message-id': message_id } }, { uid: true });
      if (Array.isArray(found) && found.length > 0) return;
      await client.append(path, Buffer.from(raw), ['\\Draft', '\\Seen']);
    });
    this.look();
  }

  async #inFolder<Answer>(
    use: string,
    name: string,
    work: (client: ImapFlow, path: string) => Promise<Answer>,
  ): Promise<Answer> {
    // A second connection: the first one waits in its folder.
    const client = this.#open();
    try {
      await client.connect();
      const path = await folderFor(client, use, name);
      await client.mailboxOpen(path);
      return await work(client, path);
    } finally {
      client.close();
    }
  }

  #open(): ImapFlow {
    const { imap, tls } = this.#settings;
    const client = new ImapFlow({
      ...connectionTo(imap, tls.ca),
      auth: { user: imap.user, pass: passwordOf(imap) },
      logger: false,
      // A connection with nothing to do listens for the next mail.
      autoIdleDelay: IDLE_AFTER_MS,
      maxIdleTime: LOOK_AGAIN_MS,
      socketTimeout: 3 * LOOK_AGAIN_MS,
    });
    // An event without a listener would end the process; what went wrong is told by the call that failed.
    client.on('error', () => {});
    return client;
  }

  async #session(signal: AbortSignal): Promise<void> {
    const client = this.#open();
    this.#client = client;
    let closed = false;
    client.on('close', () => {
      closed = true;
      this.#wake();
    });
    client.on('exists', () => this.#wake());
    try {
      await client.connect();
      const sent = await folderFor(client, '\\Sent', 'Sent');
      while (!signal.aborted && !closed) {
        let woken = false;
        const news = new Promise<void>(resolve => {
          this.#wake = () => {
            woken = true;
            resolve();
          };
        });
        // What comes from here on wakes: nothing falls between the look and the wait.
        await this.#catchUp(client, sent);
        if (!woken && !closed) await Promise.race([news, pause(LOOK_AGAIN_MS, undefined, { ref: false })]);
        if (!closed) await client.noop();
      }
    } finally {
      client.close();
    }
  }

  async #catchUp(client: ImapFlow, sent: string): Promise<void> {
    const { folder, max_mail_bytes } = this.#settings;
    const began = Date.now();
    const { uidValidity, uidNext } = await client.mailboxOpen(folder);
    const from = this.#place(String(uidValidity), uidNext);
    const first = from.last_uid === 0 ? await firstSince(client, from.since) : from.last_uid + 1;
    const own: number[] = [];
    const query = { uid: true, size: true, internalDate: true, source: { maxLength: max_mail_bytes } };
    const news = first === undefined ? [] : client.fetch(`${first}:*`, query, { uid: true });
    for await (const message of news) {
      // The range has the last mail also where that one is known.
      if (message.uid <= from.last_uid) continue;
      if (await this.#write(message, from.since)) own.push(message.uid);
    }
    this.caughtUpAt = began;
    if (own.length > 0) {
      await client.messageFlagsAdd(own.join(','), ['\\Seen'], { uid: true });
      await client.messageMove(own.join(','), sent, { uid: true });
    }
    this.#onNews();
  }

  /** Where the reading goes on. A mailbox that numbers anew is read from its beginning: known mails are known by their key. */
  #place(uidvalidity: string, uidNext: number): { last_uid: number; since: number } {
    const { folder } = this.#settings;
    const known = this.#store.get<{ uidvalidity: string; last_uid: number; since: number }>(
      'SELECT * FROM mailbox WHERE folder = ?',
      folder,
    );
    if (known?.uidvalidity === uidvalidity) return known;
    // What lay there before the module was switched on is nobody's question to it.
    const since = known?.since ?? Date.now();
    const last_uid = known ? 0 : uidNext - 1;
    if (known) this.#log.warn('The mailbox has new numbers: all of it is compared with what is known.');
    this.#store.run(
      'INSERT OR REPLACE INTO mailbox VALUES (?, ?, ?, ?)',
      folder,
      uidvalidity,
      last_uid,
      since,
    );
    return { last_uid, since };
  }

  /** Writes down a mail and the place behind it, together. Returns whether it is one that the module has sent. */
  async #write({ uid, source, size = 0, internalDate }: FetchMessageObject, since: number): Promise<boolean> {
    const { folder, max_mail_bytes } = this.#settings;
    const raw = source ?? Buffer.alloc(0);
    const { message_id } = await headOf(raw);
    const isOwn = this.#store.get('SELECT 1 FROM outgoing WHERE message_id = ?', message_id) !== undefined;
    const old = new Date(internalDate ?? Date.now()).getTime() < Math.floor(since / 1000) * 1000;
    const whole = size <= max_mail_bytes;
    this.#store.transaction(() => {
      this.#store.run('UPDATE mailbox SET last_uid = max(last_uid, ?) WHERE folder = ?', uid, folder);
      if (isOwn) {
        this.#store.run(
          "UPDATE outgoing SET state = 'sent', raw = x'' WHERE message_id = ? AND state <> 'failed'",
          message_id,
        );
      } else if (!old) {
        this.#store.run(
          'INSERT OR IGNORE INTO mail (key, state, raw, seen_at, why) VALUES (?, ?, ?, ?, ?)',
          ...[keyOf(raw), whole ? 'new' : 'ignored', whole ? raw : Buffer.alloc(0), Date.now()],
          whole ? null : `it has more than ${max_mail_bytes} bytes`,
        );
      }
    });
    return isOwn;
  }
}

/** The number of the first mail of that day: in a mailbox that is read anew the years before it need not be fetched. */
async function firstSince(client: ImapFlow, since: number): Promise<number | undefined> {
  // Servers compare days, each in a time zone of its own.
  const found = await client.search({ since: new Date(since - 86_400_000) }, { uid: true });
  return Array.isArray(found) && found.length > 0 ? found.reduce((a, b) => Math.min(a, b)) : undefined;
}

/** The parts of a mail that stand in its head. */
async function headOf(raw: Buffer): Promise<{ message_id: string }> {
  const end = raw.indexOf('\r\n\r\n');
  const { message_id } = await incomingOf(end < 0 ? raw : raw.subarray(0, end + 4));
  return { message_id: message_id ?? '' };
}

/** The folder for a use, made where there is none. */
async function folderFor(client: ImapFlow, use: string, name: string): Promise<string> {
  const folders = await client.list();
  const found = folders.find(({ specialUse, path }) => specialUse === use || path === name);
  return found ? found.path : (await client.mailboxCreate(name)).path;
}

/** How to reach a server; its certificate is always verified. */
export const connectionTo = ({ host, port, security }: MailServer, ca: string | undefined) => ({
  host,
  port,
  secure: security === 'tls',
  doSTARTTLS: security === 'starttls' ? true : undefined,
  tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca: readFileSync(ca) }) },
});

/** What went wrong, with what the server said. */
export const sentenceOf = (error: unknown): string => {
  const { message, responseText } = error as Error & { responseText?: string };
  return responseText ? `${message} (${responseText})` : message;
};
