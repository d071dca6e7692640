/**
 * The outbox: each mail in it is sent once. A mail goes to the mailbox itself, too, in the same transaction of SMTP; whether
 * one arrived whose sending was cut off can be seen there before it is sent again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@chat-kernel/module-sdk';
import type { Folders } from './folders.ts';
import { sentenceOf } from './imap.ts';
import type { Mailbox } from './mailbox.ts';
import type { MailSettings } from './settings.ts';
import { deliver, NotReached } from './smtp.ts';
import type { MailStore, Outgoing } from './store.ts';

/** The wait after a mail that the server did not take for now. */
const LATER_MS = 10_000;
/** The waits between two looks at the outbox, with mails in it and without. */
const BUSY_MS = 1000;
const IDLE_MS = 60_000;
/** What is sent in a row before it is looked whether something else is to be sent first. */
const AT_ONCE = 20;

interface SenderServices {
  settings: MailSettings;
  store: MailStore;
  mailbox: Mailbox;
  folders: Folders;
  log: Logger;
}

export class Sender {
  readonly #services: SenderServices;
  #wake: () => void = () => {};

  constructor(services: SenderServices) {
    this.#services = services;
  }

  /** There is something to send. */
  look(): void {
    this.#wake();
  }

  /** Sends until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const news = new Promise<void>(resolve => {
        this.#wake = resolve;
      });
      try {
        await this.#round(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.#services.log.warn(`Mails wait in the outbox: ${sentenceOf(error)}`);
        // A server that is away, or refuses the login, is not asked again for every mail.
        const wait = Math.min(BUSY_MS * 2 ** failures++, IDLE_MS);
        await pause(wait, undefined, { signal, ref: false }).catch(() => {});
        continue;
      }
      const later = pause(this.#waitMs(), undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([news, later]);
    }
  }

  #waitMs(): number {
    const { count } = this.#services.store.get<{ count: number }>(
      "SELECT count(*) AS count FROM outgoing WHERE state IN ('composed', 'sending')",
    )!;
    return count > 0 ? BUSY_MS : IDLE_MS;
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { store, mailbox, folders, settings } = this.#services;
    const { resend_after_secs } = settings;
    for (;;) {
      const ready = store.all<Outgoing>(
        "SELECT * FROM outgoing WHERE state = 'composed' AND tried_at < ? ORDER BY made_at LIMIT ?",
        ...[Date.now() - LATER_MS, AT_ONCE],
      );
      for (const mail of ready) {
        if (signal.aborted) return;
        await this.#send(mail);
      }
      if (ready.length === 0) break;
    }
    const cutOff = store.all<Outgoing>(
      "SELECT * FROM outgoing WHERE state = 'sending' AND tried_at < ?",
      Date.now() - resend_after_secs * 1000,
    );
    if (cutOff.length > 0) mailbox.look();
    for (const mail of cutOff) {
      // Only a mailbox that was read since then can tell that the mail is not there.
      if (mailbox.caughtUpAt < mail.tried_at + resend_after_secs * 1000) continue;
      if (await folders.hasSent(mail.message_id)) this.#isSent(mail);
      else if (this.#stillWaits(mail)) await this.#send(mail);
    }
  }

  /** The mailbox may have shown the mail meanwhile. */
  #stillWaits({ message_id }: Outgoing): boolean {
    const row = this.#services.store.get<Outgoing>('SELECT * FROM outgoing WHERE message_id = ?', message_id);
    return row?.state === 'sending';
  }

  async #send(mail: Outgoing): Promise<void> {
    // Written down first: from here on it may be on its way.
    this.#mark(mail, 'sending');
    try {
      const refused = await deliver(mail, this.#services.settings);
      // Of two recipients the server may refuse one: the mailbox itself, where the copy is missing, or the one that counts.
      if (refused.includes(mail.recipient))
        this.#mark(mail, 'failed', `the server refused ${mail.recipient}`);
      else this.#isSent(mail);
    } catch (error) {
      this.#failed(mail, error as SmtpError);
    }
  }

  #isSent({ message_id }: Outgoing): void {
    this.#services.store.run(
      "UPDATE outgoing SET state = 'sent', raw = x'' WHERE message_id = ?",
      message_id,
    );
  }

  #mark({ message_id }: Outgoing, state: Outgoing['state'], problem: string | null = null): void {
    this.#services.store.run(
      "UPDATE outgoing SET state = ?1, tried_at = ?2, problem = ?3 WHERE message_id = ?4 AND (state <> 'sent' OR ?1 = 'failed')",
      ...[state, Date.now(), problem, message_id],
    );
  }

  /**
   * A clear no of the server, or a server that was never reached, sent nothing. All else leaves it open.
   * @throws NotReached for the next mail, too
   */
  #failed(mail: Outgoing, error: SmtpError | NotReached): void {
    const problem = sentenceOf(error);
    if (error instanceof NotReached) {
      this.#mark(mail, 'composed', problem);
      throw error;
    }
    const { responseCode = 0, code = '', command = '' } = error;
    if (responseCode >= 500) this.#mark(mail, 'failed', problem);
    else if (responseCode >= 400) this.#mark(mail, 'composed', problem);
    this.#services.log.warn(`A mail was not sent at ${command}: ${code} ${responseCode || ''}`);
  }
}

type SmtpError = Error & { code?: string; responseCode?: number; command?: string };
