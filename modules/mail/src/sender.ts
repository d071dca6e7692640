/**
 * The outbox: each mail in it is sent once. A mail goes to the mailbox itself, too, in the same transaction of SMTP; whether
 * one arrived whose sending was cut off can be seen there before it is sent again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@chat-kernel/module-sdk';
import nodemailer from 'nodemailer';
import { connectionTo, type Mailbox, sentenceOf } from './mailbox.ts';
import { type MailSettings, passwordOf } from './settings.ts';
import type { MailStore, Outgoing } from './store.ts';

/** The wait after a mail that the server did not take for now. */
const LATER_MS = 10_000;
/** The waits between two looks at the outbox, with mails in it and without. */
const BUSY_MS = 1000;
const IDLE_MS = 60_000;
/** What is sent in a row before it is looked whether something else is to be sent first. */
const AT_ONCE = 20;

export class Sender {
  readonly #settings: MailSettings;
  readonly #store: MailStore;
  readonly #mailbox: Mailbox;
  readonly #log: Logger;
  #wake: () => void = () => {};

  constructor(settings: MailSettings, store: MailStore, mailbox: Mailbox, log: Logger) {
    this.#settings = settings;
    this.#store = store;
    this.#mailbox = mailbox;
    this.#log = log;
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
        this.#log.warn(`Mails wait in the outbox: ${sentenceOf(error)}`);
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
    const { count } = this.#store.get<{ count: number }>(
      "SELECT count(*) AS count FROM outgoing WHERE state IN ('composed', 'sending')",
    )!;
    return count > 0 ? BUSY_MS : IDLE_MS;
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { resend_after_secs } = this.#settings;
    for (;;) {
      const ready = this.#store.all<Outgoing>(
        "SELECT * FROM outgoing WHERE state = 'composed' AND tried_at < ? ORDER BY made_at LIMIT ?",
        ...[Date.now() - LATER_MS, AT_ONCE],
      );
      for (const mail of ready) {
        if (signal.aborted) return;
        await this.#send(mail);
      }
      if (ready.length === 0) break;
    }
    const cutOff = this.#store.all<Outgoing>(
      "SELECT * FROM outgoing WHERE state = 'sending' AND tried_at < ?",
      Date.now() - resend_after_secs * 1000,
    );
    if (cutOff.length > 0) this.#mailbox.look();
    for (const mail of cutOff) {
      // Only a mailbox that was read since then can tell that the mail is not there.
      if (this.#mailbox.caughtUpAt < mail.tried_at + resend_after_secs * 1000) continue;
      if (await this.#mailbox.hasSent(mail.message_id)) this.#isSent(mail);
      else if (this.#stillWaits(mail)) await this.#send(mail);
    }
  }

  /** The mailbox may have shown the mail meanwhile. */
  #stillWaits({ message_id }: Outgoing): boolean {
    const row = this.#store.get<Outgoing>('SELECT * FROM outgoing WHERE message_id = ?', message_id);
    return row?.state === 'sending';
  }

  async #send(mail: Outgoing): Promise<void> {
    const { smtp, tls, address } = this.#settings;
    const { host, port, secure, doSTARTTLS, tls: verified } = connectionTo(smtp, tls.ca);
    // Written down first: from here on it may be on its way.
    this.#mark(mail, 'sending');
    const transport = nodemailer.createTransport({
      ...{
        host,
        port,
        secure,
        tls: verified,
        requireTLS: doSTARTTLS === true,
        ignoreTLS: smtp.security === 'none',
      },
      auth: { user: smtp.user, pass: passwordOf(smtp) },
      connectionTimeout: 30_000,
      greetingTimeout: 30_000,
      socketTimeout: 60_000,
      logger: false,
    });
    try {
      const { rejected } = await transport.sendMail({
        envelope: { from: address, to: [...new Set([mail.recipient, address])] },
        raw: Buffer.from(mail.raw),
      });
      // Of two recipients the server may refuse the one that counts, and take the mailbox itself.
      if (rejected.length > 0) this.#mark(mail, 'failed', `the server refused ${mail.recipient}`);
      else this.#isSent(mail);
    } catch (error) {
      this.#refused(mail, error as SmtpError);
    } finally {
      transport.close();
    }
  }

  #isSent({ message_id }: Outgoing): void {
    this.#store.run("UPDATE outgoing SET state = 'sent', raw = x'' WHERE message_id = ?", message_id);
  }

  #mark({ message_id }: Outgoing, state: Outgoing['state'], problem: string | null = null): void {
    this.#store.run(
      "UPDATE outgoing SET state = ?1, tried_at = ?2, problem = ?3 WHERE message_id = ?4 AND (state <> 'sent' OR ?1 = 'failed')",
      ...[state, Date.now(), problem, message_id],
    );
  }

  /**
   * A clear no of the server, or a server that was never reached, sent nothing. All else leaves it open.
   * @throws SmtpError where the server is away for the next mail, too
   */
  #refused(mail: Outgoing, error: SmtpError): void {
    const { responseCode = 0, code = '', command = '' } = error;
    const problem = sentenceOf(error);
    const isAway = command === 'CONN' || code === 'EAUTH';
    if (responseCode >= 500 && !isAway) this.#mark(mail, 'failed', problem);
    else if (responseCode >= 400 || isAway) this.#mark(mail, 'composed', problem);
    if (isAway) throw error;
    this.#log.warn(`A mail was not sent at ${command || 'the connection'}: ${code} ${responseCode || ''}`);
  }
}

type SmtpError = Error & { code?: string; responseCode?: number; command?: string };
