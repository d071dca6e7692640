/**
 * Processes one email: sender, chat, turn, reply. Each step is stored before the next one begins, and can be repeated: the turn
 * by its idempotency key, the reply by its Message-ID.
 */
import { isRetryable } from '@chat-kernel/client';
import type { TurnStream } from '@chat-kernel/module-sdk';
import { type Begun, GivenUp, Inbox, postTurn } from '@chat-kernel/module-sdk/surface';
import { admitMail } from './admission.ts';
import { buildAnswer } from './answer.ts';
import type { Confirmations } from './confirmations.ts';
import { roomFor } from './files.ts';
import { composeHiddenAnswer, composeUnread, readingWork, sendingWork, UNREAD } from './given-up.ts';
import { type Incoming, parseMail } from './incoming.ts';
import { composeMail, messageIdFor, replyHeaders } from './outgoing.ts';
import type { Requests } from './requests.ts';
import { MASTER, type Sender } from './sender-identity.ts';
import type { MailServices } from './services.ts';
import type { StoredMail, WrittenMail } from './store.ts';
import { Threads } from './threads.ts';
import { buildTurnStart, readOutcome, type TurnOutcome } from './turns.ts';

/** How many times a turn is started again if the kernel stops during it. */
const ATTEMPTS = 5;
/** The delay before another attempt to verify a sender. */
const PROVE_AGAIN_MS = 30_000;
/** The interval between checks for an answer of the owner. */
const CONFIRM_MS = 1000;

interface DeskServices extends MailServices {
  requests: Requests;
  confirmations: Confirmations;
}

/** An email whose turn was posted; `posted` is undefined if the email needs no answer. */
interface Ready {
  posted: PromiseSettledResult<TurnStream | undefined>;
  incoming: Incoming;
  sender: Sender;
}

export class InboxProcessor {
  readonly #services: DeskServices;
  readonly #threads: Threads;
  readonly #inbox: Inbox;

  constructor(services: DeskServices) {
    this.#services = services;
    this.#threads = new Threads(services);
    const { store, log } = services;
    this.#inbox = new Inbox(
      {
        open: () => this.#open(),
        begin: (id, signal) => this.#begin(id, signal),
        // The digest reports it.
        fail: (id, reason) => store.end(id, 'failed', reason),
      },
      log,
    );
  }

  /** Checks for new emails now. */
  look(): void {
    this.#inbox.wake();
  }

  /** Works until the signal is aborted. */
  run(signal: AbortSignal): Promise<void> {
    return this.#inbox.run(signal);
  }

  /**
   * Turns may wait for a decision, and an email with a decision must not wait for them. So emails whose sender is not yet
   * identified are always processed.
   */
  #open(): number[] {
    const isReady = this.#inbox.isFull ? 'person_id IS NULL' : 'true';
    const sql = `SELECT id FROM mail WHERE state IN ('posted', 'new') AND ${isReady} ORDER BY state = 'new', id`;
    return this.#services.store.all<{ id: number }>(sql).map(({ id }) => id);
  }

  async #begin(id: number, signal: AbortSignal): Promise<Begun | undefined> {
    const { confirmations, guard } = this.#services;
    if (confirmations.isOpen(id)) return { laterMs: CONFIRM_MS };
    const ready = await guard.attempt(
      readingWork(id),
      () => this.#read(id, signal),
      () => this.#giveUp(id),
    );
    if (!ready || !('posted' in ready)) return ready;
    const { posted, incoming, sender } = ready;
    const refused = (error: Error) => {
      if (isRetryable(error) || signal.aborted) throw error;
      const { message } = error;
      const made: TurnOutcome['made'] = new Set();
      return this.#answer(id, incoming, sender, {
        status: 'failed',
        text: '',
        made,
        error: { code: '', message },
      });
    };
    if (posted.status === 'rejected') return void (await refused(posted.reason));
    if (!posted.value) return undefined;
    return {
      rest: readOutcome(posted.value).then(outcome => this.#answer(id, incoming, sender, outcome), refused),
    };
  }

  /** Reads an email and posts it to its chat, unless it needs no turn or must wait. */
  async #read(id: number, signal: AbortSignal): Promise<Begun | Ready | undefined> {
    const { store, requests } = this.#services;
    const received = await parseMail(store.mail(id).raw);
    store.run('UPDATE mail SET sender = ?, subject = ? WHERE id = ?', received.from, received.subject, id);
    const admission = await admitMail(id, received, this.#services);
    if (admission === 'later') return { laterMs: PROVE_AGAIN_MS };
    if (admission === 'asked') return { laterMs: CONFIRM_MS };
    if ('why' in admission) return void store.end(id, 'ignored', admission.why);
    const { sender, mail } = admission;
    // From here on, headers that do not count are out of sight.
    const incoming = await parseMail(mail);
    if (sender.who === MASTER && requests.isAnswer(incoming))
      return void (await requests.answer(id, incoming));
    store.run(
      'UPDATE mail SET who = ?, person_id = ?, raw = ? WHERE id = ?',
      ...[sender.who, sender.person_id, mail, id],
    );
    if (this.#inbox.isFull) return undefined;
    const [posted] = await Promise.allSettled([this.#post(id, incoming, sender, signal)]);
    return { posted, incoming, sender };
  }

  /** Leaves the email in the mailbox. Its sender gets a notice if it is verified, and the digest reports the email. */
  async #giveUp(id: number): Promise<void> {
    const { store, log, onMail } = this.#services;
    log.error(`Email ${id} is not handled: ${UNREAD}.`);
    const mail = store.mail(id);
    const { chat_id, who, state } = mail;
    const compose = state === 'posted' ? composeHiddenAnswer : composeUnread;
    const notice = who === null ? undefined : await compose(mail, this.#services);
    store.transaction(() => {
      if (notice && who !== null) store.send(notice, chat_id === null ? undefined : { chat_id, who });
      store.end(id, 'failed', UNREAD);
    });
    onMail();
  }

  /** Posts the email to its chat. Undefined: the thread has reached the limit of answers. */
  async #post(
    id: number,
    incoming: Incoming,
    sender: Sender,
    signal: AbortSignal,
  ): Promise<TurnStream | undefined> {
    const { store, kernel } = this.#services;
    const newChat = () => this.#threads.chatFor(store.mail(id), incoming, sender);
    // A quote is left out only if its chat has the quoted email.
    const isKnown = store.chatOf(incoming.references, sender.who) !== undefined;
    const { subject } = incoming;
    const chat_id = await newChat();
    const isNew = store.mail(id).state === 'new';
    if (isNew) {
      if (this.#threads.isTooMuch(chat_id))
        return void store.end(id, 'ignored', 'its thread reached the limit of answers per hour');
      await this.#upload(id, incoming);
    }
    const mail = store.mail(id);
    const turn = {
      chat_id,
      request: buildTurnStart(
        mail,
        { subject, text: isKnown ? incoming.text : incoming.whole },
        sender.person_id,
      ),
      key: `mail-${mail.key}-${mail.attempt}`,
      since: mail.posted_at,
    };
    const moved = async () => {
      store.forgetChat(mail);
      return newChat();
    };
    const stream = await postTurn(turn, { kernel, signal, newChat: isNew ? moved : undefined });
    store.run(
      "UPDATE mail SET state = 'posted', posted_at = coalesce(posted_at, ?) WHERE id = ?",
      ...[Date.now(), id],
    );
    return stream;
  }

  async #upload(id: number, { attachments }: Incoming): Promise<void> {
    const { store, kernel } = this.#services;
    if (store.mail(id).files !== null) return;
    const files: string[] = [];
    for (const { name, media_type, bytes } of attachments) {
      files.push((await kernel.uploadFile({ name, media_type, bytes: Buffer.from(bytes) })).id);
    }
    store.run('UPDATE mail SET files = ? WHERE id = ?', JSON.stringify(files), id);
  }

  async #answer(id: number, incoming: Incoming, sender: Sender, outcome: TurnOutcome): Promise<void> {
    const { settings, store, kernel, guard, log, onMail } = this.#services;
    const mail = store.mail(id);
    if (outcome.error?.code === 'kernel_restarted' && mail.attempt < ATTEMPTS) {
      store.run("UPDATE mail SET attempt = attempt + 1, state = 'new' WHERE id = ?", id);
      this.look();
      return;
    }
    const { address } = settings;
    const work = sendingWork(messageIdFor(mail.key, { address, secret: store.secret }));
    try {
      await guard.begin(work);
      // The outbox continues the work.
      const answer = await this.#compose(mail, incoming, sender, outcome).finally(() => guard.pause(work));
      this.#queue(mail, sender, answer);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      log.error(`The answer to email ${id} is given up: writing it ended the program twice.`);
      this.#queue(mail, sender, await composeHiddenAnswer(mail, this.#services));
      guard.end(work);
    }
    onMail();
    await kernel.reportTriage({ engaged: 1, responded: 1 }).catch(() => {});
  }

  async #compose(
    { key, chat_id }: StoredMail,
    incoming: Incoming,
    sender: Sender,
    outcome: TurnOutcome,
  ): Promise<WrittenMail> {
    const { settings, kernel } = this.#services;
    const place = { kernel, chat_id, sender, room: roomFor(settings) };
    return composeMail(
      { of: key, ...replyHeaders(incoming), ...(await buildAnswer(outcome, place)) },
      this.#services,
    );
  }

  /** Puts the answer to an email into the outbox. */
  #queue({ id, chat_id }: StoredMail, { who }: Sender, answer: WrittenMail): void {
    const { store } = this.#services;
    store.transaction(() => {
      store.send(answer, chat_id === null ? undefined : { chat_id, who });
      store.end(id, 'done');
    });
  }
}
