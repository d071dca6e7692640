/**
 * The mailbox, read over IMAP: each mail is written down once, in order, and the connection waits for the next one (IDLE). A
 * connection that breaks is opened again and goes on behind the last mail that was written down.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@chat-kernel/module-sdk';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { Folders } from './folders.ts';
import { folderFor, imapFor, LOOK_AGAIN_MS, searched, sentenceOf } from './imap.ts';
import { incomingOf, keyOf } from './incoming.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';

/** Waits between attempts to connect, milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 60_000;

interface MailboxServices {
  settings: MailSettings;
  store: MailStore;
  folders: Folders;
  log: Logger;
  /** Called when mails were written down. */
  onNews: () => void;
}

export class Mailbox {
  readonly #services: MailboxServices;
  #client: ImapFlow | undefined;
  #wake: () => void = () => {};
  /** The time since which every mail that had come before is written down. */
  caughtUpAt = 0;

  constructor(services: MailboxServices) {
    this.#services = services;
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
        if (!signal.aborted) this.#services.log.warn(`The mailbox is away: ${sentenceOf(error)}`);
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

  async #session(signal: AbortSignal): Promise<void> {
    const client = imapFor(this.#services.settings);
    this.#client = client;
    let closed = false;
    client.on('close', () => {
      closed = true;
      this.#wake();
    });
    client.on('exists', () => this.#wake());
    try {
      await client.connect();
      const sent = await folderFor(client, 'Sent');
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
    const { settings, log, onNews } = this.#services;
    const { folder, max_mail_bytes } = settings;
    const began = Date.now();
    const { uidValidity, uidNext } = await client.mailboxOpen(folder);
    const from = this.#place(String(uidValidity), uidNext);
    const first = from.last_uid === 0 ? await firstSince(client, from.since) : from.last_uid + 1;
    const query = { uid: true, size: true, internalDate: true, source: { maxLength: max_mail_bytes } };
    const news = first === undefined ? [] : client.fetch(`${first}:*`, query, { uid: true });
    for await (const message of news) {
      // The range has the last mail also where that one is known.
      if (message.uid <= from.last_uid) continue;
      await this.#write(message, from.since);
    }
    this.caughtUpAt = began;
    await this.#moveCopies(client, sent);
    onNews();
    await this.#clearDrafts().catch(error => log.warn(`Drafts that were sent stay: ${sentenceOf(error)}`));
  }

  /** The copies of what the module has sent become those among the sent mails, also where a cut has kept them from it before. */
  async #moveCopies(client: ImapFlow, sent: string): Promise<void> {
    const { settings, store } = this.#services;
    const copies = store.all<{ uid: number }>('SELECT uid FROM copy WHERE folder = ?', settings.folder);
    if (copies.length === 0) return;
    const uids = copies.map(({ uid }) => uid).join(',');
    await client.messageFlagsAdd(uids, ['\\Seen'], { uid: true });
    const isMoved = await client.messageMove(uids, sent, { uid: true });
    // Where it was cut off, the next look does it.
    if (isMoved) store.run('DELETE FROM copy WHERE folder = ?', settings.folder);
  }

  /** A draft that was sent is none any more. */
  async #clearDrafts(): Promise<void> {
    const { store, folders } = this.#services;
    const sent = store.all<{ message_id: string }>(
      "SELECT message_id FROM draft JOIN outgoing USING (message_id) WHERE state = 'sent'",
    );
    for (const { message_id } of sent) {
      await folders.removeDraft(message_id);
      store.run('DELETE FROM draft WHERE message_id = ?', message_id);
    }
  }

  /** Where the reading goes on. A mailbox that numbers anew is read from its beginning: known mails are known by their key. */
  #place(uidvalidity: string, uidNext: number): { last_uid: number; since: number } {
    const { settings, store, log } = this.#services;
    const { folder } = settings;
    const known = store.get<{ uidvalidity: string; last_uid: number; since: number }>(
      'SELECT * FROM mailbox WHERE folder = ?',
      folder,
    );
    if (known?.uidvalidity === uidvalidity) return known;
    // What lay there before the module was switched on is nobody's question to it.
    const since = known?.since ?? Date.now();
    const last_uid = known ? 0 : uidNext - 1;
    if (known) log.warn('The mailbox has new numbers: all of it is compared with what is known.');
    store.transaction(() => {
      store.run(
        'INSERT OR REPLACE INTO mailbox VALUES (?, ?, ?, ?)',
        ...[folder, uidvalidity, last_uid, since],
      );
      store.run('DELETE FROM copy WHERE folder = ?', folder);
    });
    return { last_uid, since };
  }

  /** Writes down a mail and the place behind it, together. */
  async #write({ uid, source, size = 0, internalDate }: FetchMessageObject, since: number): Promise<void> {
    const { settings, store } = this.#services;
    const { folder, max_mail_bytes } = settings;
    const raw = source ?? Buffer.alloc(0);
    const { message_id } = await headOf(raw);
    const isOwn = store.get('SELECT 1 FROM outgoing WHERE message_id = ?', message_id) !== undefined;
    const old = new Date(internalDate ?? Date.now()).getTime() < Math.floor(since / 1000) * 1000;
    const whole = size <= max_mail_bytes;
    store.transaction(() => {
      store.run('UPDATE mailbox SET last_uid = max(last_uid, ?) WHERE folder = ?', uid, folder);
      if (isOwn) {
        store.run('INSERT OR IGNORE INTO copy VALUES (?, ?)', folder, uid);
        store.run(
          "UPDATE outgoing SET state = 'sent', raw = x'' WHERE message_id = ? AND state <> 'failed'",
          message_id,
        );
      } else if (!old) {
        store.run(
          'INSERT OR IGNORE INTO mail (key, state, raw, seen_at, why) VALUES (?, ?, ?, ?, ?)',
          ...[keyOf(raw), whole ? 'new' : 'ignored', whole ? raw : Buffer.alloc(0), Date.now()],
          whole ? null : `it has more than ${max_mail_bytes} bytes`,
        );
      }
    });
  }
}

/** The number of the first mail of that day: in a mailbox that is read anew the years before it need not be fetched. */
async function firstSince(client: ImapFlow, since: number): Promise<number | undefined> {
  // Servers compare days, each in a time zone of its own.
  const [first] = await searched(client, { since: new Date(since - 86_400_000) });
  return first;
}

/** The parts of a mail that stand in its head. */
async function headOf(raw: Buffer): Promise<{ message_id: string }> {
  const end = raw.indexOf('\r\n\r\n');
  const { message_id } = await incomingOf(end < 0 ? raw : raw.subarray(0, end + 4));
  return { message_id: message_id ?? '' };
}
