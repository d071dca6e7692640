/**
 * Reads the mailbox over IMAP: stores each email once, in order, and waits for the next one (IDLE). After a lost connection, it
 * reconnects and continues after the last stored mail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pause, RetryBackoff } from '@chat-kernel/module-sdk/surface';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { sendingWork, UNREAD } from './given-up.ts';
import { describeError, folderFor, imapFor, POLL_INTERVAL_MS, searched } from './imap.ts';
import { mailKey, readMessageId } from './incoming.ts';
import type { MailServices } from './services.ts';

/** Delays between connection attempts. */
const PAUSES = { firstMs: 500, maxMs: 60_000, jitter: 0.5 };

type MailboxServices = Omit<MailServices, 'kernel' | 'onMail'> & {
  /** Called when emails were stored. */
  onNews: () => void;
};

export class Mailbox {
  readonly #services: MailboxServices;
  #client: ImapFlow | undefined;
  #wake: () => void = () => {};
  /** All emails that arrived before this time are stored. */
  caughtUpAt = 0;

  constructor(services: MailboxServices) {
    this.#services = services;
  }

  /** Reads until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#client?.close());
    const backoff = new RetryBackoff(PAUSES);
    while (!signal.aborted) {
      const began = Date.now();
      try {
        await this.#session(signal);
      } catch (error) {
        if (!signal.aborted) this.#services.log.warn(`Mailbox unreachable: ${describeError(error)}`);
      }
      // Reset the delay after a connection that was useful.
      if (this.caughtUpAt >= began) backoff.reset();
      await pause(backoff.nextMs(), signal);
    }
  }

  /** Checks for new emails now. */
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
        // Mail that arrives from here on wakes the loop, so none is missed between the check and the wait.
        await this.#catchUp(client, sent);
        if (!woken && !closed) await Promise.race([news, sleep(POLL_INTERVAL_MS, undefined, { ref: false })]);
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
      // The range always includes the newest mail, even if it is already known.
      if (message.uid <= from.last_uid) continue;
      await this.#store(message, `fetch ${folder} ${uidValidity} ${message.uid}`, from.since);
    }
    this.caughtUpAt = began;
    await this.#moveCopies(client, sent);
    onNews();
    await this.#clearDrafts().catch(error =>
      log.warn(`Deleting sent drafts failed: ${describeError(error)}`),
    );
  }

  /**
   * Moves the copies of sent emails to the folder of sent emails, including those that an interrupted run left behind.
   */
  async #moveCopies(client: ImapFlow, sent: string): Promise<void> {
    const { settings, store } = this.#services;
    const copies = store.all<{ uid: number }>('SELECT uid FROM copy WHERE folder = ?', settings.folder);
    if (copies.length === 0) return;
    const uids = copies.map(({ uid }) => uid).join(',');
    await client.messageFlagsAdd(uids, ['\\Seen'], { uid: true });
    const isMoved = await client.messageMove(uids, sent, { uid: true });
    // If the connection broke, the next run moves them.
    if (isMoved) store.run('DELETE FROM copy WHERE folder = ?', settings.folder);
  }

  /** Deletes drafts that were sent. */
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

  /** The position where reading continues. A renumbered mailbox is read from the start; stored keys identify known emails. */
  #place(uidvalidity: string, uidNext: number): { last_uid: number; since: number } {
    const { settings, store, log } = this.#services;
    const { folder } = settings;
    const known = store.get<{ uidvalidity: string; last_uid: number; since: number }>(
      'SELECT * FROM mailbox WHERE folder = ?',
      folder,
    );
    if (known?.uidvalidity === uidvalidity) return known;
    // Emails from before the module was enabled are not answered.
    const since = known?.since ?? Date.now();
    const last_uid = known ? 0 : uidNext - 1;
    if (known)
      log.warn(
        'The mailbox was renumbered (UIDVALIDITY changed): comparing all of its emails with the stored ones.',
      );
    store.transaction(() => {
      store.run(
        'INSERT OR REPLACE INTO mailbox VALUES (?, ?, ?, ?)',
        ...[folder, uidvalidity, last_uid, since],
      );
      store.run('DELETE FROM copy WHERE folder = ?', folder);
    });
    return { last_uid, since };
  }

  /** @param work the name of the work for the guard */
  async #store(message: FetchMessageObject, work: string, since: number): Promise<void> {
    const { settings, store, guard, log } = this.#services;
    const { folder } = settings;
    const giveUp = () => {
      log.error(`Email ${message.uid} in ${folder} is not handled: ${UNREAD}.`);
      store.transaction(() => {
        store.run('UPDATE mailbox SET last_uid = max(last_uid, ?) WHERE folder = ?', message.uid, folder);
        // The digest reports it.
        store.run(
          "INSERT OR IGNORE INTO mail (key, state, raw, seen_at, why) VALUES (?, 'failed', x'', ?, ?)",
          ...[work, Date.now(), UNREAD],
        );
      });
    };
    await guard.attempt(work, () => this.#write(message, since), giveUp);
  }

  /** Stores an email together with the position after it. */
  async #write({ uid, source, size = 0, internalDate }: FetchMessageObject, since: number): Promise<void> {
    const { settings, store, guard } = this.#services;
    const { folder, max_mail_bytes } = settings;
    const raw = source ?? Buffer.alloc(0);
    const message_id = await readMessageId(raw);
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
          ...[mailKey(raw), whole ? 'new' : 'ignored', whole ? raw : Buffer.alloc(0), Date.now()],
          whole ? null : `it is larger than ${max_mail_bytes} bytes`,
        );
      }
    });
    if (isOwn) guard.end(sendingWork(message_id));
  }
}

/** The number of the first mail of that day, so that older emails of a renumbered mailbox are not downloaded. */
async function firstSince(client: ImapFlow, since: number): Promise<number | undefined> {
  // Servers compare days, each in its own time zone.
  const [first] = await searched(client, { since: new Date(since - 86_400_000) });
  return first;
}
