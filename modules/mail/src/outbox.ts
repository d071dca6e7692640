/**
 * Sends each email in the outbox once. The same SMTP transaction also delivers a copy to the mailbox itself. If sending
 * was interrupted, the copy shows whether the email was sent, before it is sent again.
 */
import {
  GivenUp,
  Outbox,
  type OutboxState,
  type SendFailure,
  WakeablePause,
} from '@chat-kernel/module-sdk/surface';
import { composeHiddenAnswer, sendingWork, UNSENT } from './given-up.ts';
import { describeError } from './imap.ts';
import type { Mailbox } from './mailbox.ts';
import { messageIdFor } from './outgoing.ts';
import type { MailServices } from './services.ts';
import { deliver, NotReached } from './smtp.ts';
import type { Outgoing, StoredMail } from './store.ts';

/** The delay after a temporary rejection by the server. */
const LATER_MS = 10_000;
/** The poll intervals of the outbox, with and without emails in it. They also apply to an unreachable server. */
const BUSY_MS = 1000;
const IDLE_MS = 60_000;
/** A server has one lane: while it is unreachable or rejects the login, emails do not retry one by one. */
const LANE = 'smtp';

export class MailOutbox {
  readonly #services: MailServices & { mailbox: Mailbox };
  readonly #pause = new WakeablePause();

  constructor(services: MailServices & { mailbox: Mailbox }) {
    this.#services = services;
  }

  /** Sends new emails now. */
  look(): void {
    this.#pause.wake();
  }

  /** Sends until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { mailbox, folders, settings, guard, log } = this.#services;
    const outbox = new Outbox<Outgoing>(
      {
        pauses: { firstMs: BUSY_MS, maxMs: IDLE_MS },
        lanes: () => [LANE],
        next: () => this.#next(),
        hasArrived: async mail => mail.state === 'sending' && (await folders.hasSent(mail.message_id)),
        send: async mail => {
          await this.#begin(mail);
          const refused = await deliver(mail, settings);
          // The server may reject only one of the two recipients: the mailbox, which just loses its copy, or the actual
          // recipient.
          if (refused.includes(mail.recipient)) throw new RecipientRefused(mail.recipient);
        },
        failureOf: error => this.#failureOf(error as SmtpError),
        mark: (mail, state, failure) => {
          const isMarked = this.#mark(mail, state, failure);
          const work = sendingWork(mail.message_id);
          if (state === 'sent' || state === 'failed') guard.end(work);
          // The next attempt begins after a pause.
          else if (failure.lane !== undefined) guard.pause(work);
          return isMarked;
        },
      },
      { log, signal },
    );
    while (!signal.aborted) {
      if (this.#count("state = 'sending' AND tried_at < ?", this.#resendBefore()) > 0) mailbox.look();
      await outbox.flush();
      const isBusy = this.#count("state IN ('composed', 'sending')") > 0;
      await this.#pause.wait(isBusy ? BUSY_MS : IDLE_MS, signal);
    }
  }

  #count(where: string, ...values: number[]): number {
    const sql = `SELECT count(*) AS count FROM outgoing WHERE ${where}`;
    return this.#services.store.get<{ count: number }>(sql, ...values)!.count;
  }

  #resendBefore(now = Date.now()): number {
    return now - this.#services.settings.resend_after_secs * 1000;
  }

  /** New emails are sent before those whose sending was interrupted. */
  #next(): Outgoing | undefined {
    const { store, mailbox } = this.#services;
    const composed =
      "SELECT * FROM outgoing WHERE state = 'composed' AND tried_at < ? ORDER BY made_at LIMIT 1";
    // A missing copy proves that the email was not sent only if the mailbox was read since then.
    const cutOff =
      "SELECT * FROM outgoing WHERE state = 'sending' AND tried_at < ? AND tried_at <= ? LIMIT 1";
    return (
      store.get<Outgoing>(composed, Date.now() - LATER_MS) ??
      store.get<Outgoing>(cutOff, this.#resendBefore(), this.#resendBefore(mailbox.caughtUpAt))
    );
  }

  /** @throws GivenUp if sending the email has ended the process twice */
  async #begin({ message_id }: Outgoing): Promise<void> {
    const { guard } = this.#services;
    try {
      await guard.begin(sendingWork(message_id));
    } catch (error) {
      if (error instanceof GivenUp) await this.#giveUp(message_id);
      throw error;
    }
  }

  /** The sender of an email gets a notice in place of the answer. The digest lists every email that was not sent. */
  async #giveUp(message_id: string): Promise<void> {
    const { store, log } = this.#services;
    log.error(`An email is given up: ${UNSENT}.`);
    const mail = this.#answered(message_id);
    if (!mail) return;
    const { chat_id, who } = mail;
    store.send(
      await composeHiddenAnswer(mail, this.#services),
      chat_id === null || who === null ? undefined : { chat_id, who },
    );
    this.look();
  }

  /** The email that this one answers; undefined: it is not an answer, or it is a notice. */
  #answered(message_id: string): StoredMail | undefined {
    const { settings, store } = this.#services;
    const from = { address: settings.address, secret: store.secret };
    return store
      .all<StoredMail>(
        'SELECT mail.* FROM mail JOIN outgoing USING (chat_id) WHERE outgoing.message_id = ?',
        message_id,
      )
      .find(({ key }) => messageIdFor(key, from) === message_id);
  }

  /** If the email was found in the mailbox in the meantime, it stays `sent`. */
  #mark({ message_id }: Outgoing, state: OutboxState, { reason, lane }: Partial<SendFailure>): boolean {
    const { store } = this.#services;
    if (state === 'sent') {
      return store.run("UPDATE outgoing SET state = 'sent', raw = x'' WHERE message_id = ?", message_id) > 0;
    }
    const sql =
      "UPDATE outgoing SET state = ?1, tried_at = ?2, problem = ?3 WHERE message_id = ?4 AND (state <> 'sent' OR ?1 = 'failed')";
    const stored = state === 'waiting' ? 'composed' : state;
    // An email that never reached the server is retried after the pause of the lane.
    const triedAt = lane === 'retry' ? 0 : Date.now();
    return store.run(sql, stored, triedAt, reason ?? null, message_id) > 0;
  }

  /**
   * The email was not sent if the server rejected it or was never reached. After any other error, it may have been sent.
   */
  #failureOf(error: SmtpError | NotReached | RecipientRefused | GivenUp): SendFailure {
    if (error instanceof GivenUp) return { state: 'failed', reason: UNSENT, lane: 'continue' };
    const reason = describeError(error);
    if (error instanceof NotReached) return { state: 'waiting', reason, lane: 'retry' };
    if (error instanceof RecipientRefused)
      return { state: 'failed', reason: error.message, lane: 'continue' };
    const { responseCode = 0, code = '', command = '' } = error;
    this.#services.log.warn(`Sending an email failed at ${command}: ${code} ${responseCode || ''}`);
    if (responseCode >= 500) return { state: 'failed', reason, lane: 'continue' };
    return { state: responseCode >= 400 ? 'waiting' : 'sending', reason, lane: 'continue' };
  }
}

class RecipientRefused extends Error {
  constructor(recipient: string) {
    super(`the server rejected the recipient ${recipient}`);
  }
}

type SmtpError = Error & { code?: string; responseCode?: number; command?: string };
