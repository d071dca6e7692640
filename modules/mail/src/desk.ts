/**
 * The way of a mail: who wrote it, its chat, its turn, the answer in the outbox. Each step stands in the database before the
 * next begins, and can be done again: the turn by its idempotency key, the answer by its Message-ID.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { BrokenLine, ConnectionLost } from '@chat-kernel/client';
import { KernelApiError, type KernelClient, type Logger, type TurnStream } from '@chat-kernel/module-sdk';
import { type Incoming, incomingOf } from './incoming.ts';
import { answerTo, messageIdOf, written } from './outgoing.ts';
import type { Requests } from './requests.ts';
import { MASTER, type Sender, SURFACE, senderAt } from './senders.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore, StoredMail } from './store.ts';
import { imagesOf, outcomeOf, startOf, type TurnOutcome } from './turns.ts';
import { proofOf } from './who.ts';

/** Turns that are followed at the same time. */
const AT_ONCE = 32;
/** How often a turn is begun that the end of a kernel breaks off. */
const ATTEMPTS = 5;
/** The wait while the kernel is away. */
const AWAY_MS = 1000;
/** The kernel knows an idempotency key for a day; later the same message would be a second one. */
const KEY_COUNTS_MS = 23 * 3600_000;
/** A proof that cannot be had now, for a name server is away, is tried for again so often, so long. */
const PROVE_AGAIN_MS = 30_000;
const PROVE_FOR_MS = 6 * 3600_000;

interface DeskServices {
  settings: MailSettings;
  store: MailStore;
  kernel: KernelClient;
  requests: Requests;
  log: Logger;
  /** Called when a mail is in the outbox. */
  onAnswer: () => void;
}

export class Desk {
  readonly #services: DeskServices;
  #wake: () => void = () => {};
  readonly #turns = new Map<number, Promise<void>>();
  /** Mail → when it is looked at again. */
  readonly #later = new Map<number, number>();

  constructor(services: DeskServices) {
    this.#services = services;
  }

  /** There are new mails. */
  look(): void {
    this.#wake();
  }

  /** Works until the signal is aborted. Mails are begun one after the other, so that those of a thread keep their order. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, log } = this.#services;
    while (!signal.aborted) {
      const news = new Promise<void>(resolve => {
        this.#wake = resolve;
      });
      const waiting = store.all<{ id: number }>(
        "SELECT id FROM mail WHERE state IN ('posted', 'new') ORDER BY state = 'new', id",
      );
      for (const { id } of waiting) {
        if (this.#turns.has(id) || (this.#later.get(id) ?? 0) > Date.now()) continue;
        if (this.#turns.size >= AT_ONCE) await Promise.race(this.#turns.values());
        if (signal.aborted) return;
        await this.#begin(id, signal).catch(error => {
          if (!signal.aborted) this.#failed(id, error);
        });
      }
      const later = pause(AWAY_MS, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([news, later]);
      if (signal.aborted) log.debug('The desk is closed.');
    }
  }

  /** What may pass is tried again; anything else ends the mail, and the digest tells of it. */
  #failed(id: number, error: unknown): void {
    const { store, log } = this.#services;
    log.warn(`Mail ${id}: ${(error as Error).message}`);
    if (isPassing(error)) this.#later.set(id, Date.now() + AWAY_MS);
    else store.end(id, 'failed', (error as Error).message);
  }

  async #begin(id: number, signal: AbortSignal): Promise<void> {
    const { store, requests } = this.#services;
    const incoming = await incomingOf(store.mail(id).raw);
    store.run('UPDATE mail SET sender = ?, subject = ? WHERE id = ?', incoming.from, incoming.subject, id);
    const sender = await this.#senderOf(id, incoming);
    if (sender === undefined) return;
    if (sender.who === MASTER && requests.isAnswer(incoming)) {
      await requests.answer(id, incoming);
      return;
    }
    const refused = (error: Error) => {
      if (isPassing(error) || signal.aborted) throw error;
      if (this.#isGone(id, error)) return;
      const outcome: TurnOutcome = {
        status: 'failed',
        text: '',
        images: [],
        error: { code: '', message: error.message },
      };
      return this.#answer(id, incoming, sender, outcome);
    };
    const stream = await this.#post(id, incoming, sender, signal).catch(refused);
    if (!stream) return;
    const followed = outcomeOf(stream)
      .then(outcome => this.#answer(id, incoming, sender, outcome), refused)
      .catch(error => {
        if (!signal.aborted) this.#failed(id, error);
      })
      .finally(() => this.#turns.delete(id));
    this.#turns.set(id, followed);
  }

  /** Posts the mail to its chat. Undefined: it has too many answers. */
  async #post(
    id: number,
    incoming: Incoming,
    sender: Sender,
    signal: AbortSignal,
  ): Promise<TurnStream | undefined> {
    const { store, kernel } = this.#services;
    const chat_id = await this.#chatFor(store.mail(id), incoming, sender);
    if (store.mail(id).state === 'new') {
      if (this.#isTooMuch(chat_id)) return void store.end(id, 'ignored', 'its thread had too many answers');
      await this.#upload(id, incoming);
    }
    const mail = store.mail(id);
    if (mail.posted_at !== null && mail.posted_at < Date.now() - KEY_COUNTS_MS) {
      throw new Error('the module was away for too long. What was answered stands in the chat');
    }
    const stream = kernel.turn(chat_id, startOf(mail, incoming, sender.person_id), {
      idempotencyKey: `mail-${mail.key}-${mail.attempt}`,
      signal,
    });
    await stream.started;
    store.run(
      "UPDATE mail SET state = 'posted', posted_at = coalesce(posted_at, ?) WHERE id = ?",
      ...[Date.now(), id],
    );
    return stream;
  }

  /** A chat that somebody has deleted: the thread goes on in a new one. */
  #isGone(id: number, error: Error): boolean {
    const { store } = this.#services;
    const { chat_id, state } = store.mail(id);
    if (!(error instanceof KernelApiError && error.status === 404) || state !== 'new') return false;
    store.transaction(() => {
      store.run('DELETE FROM thread WHERE chat_id = ?', chat_id);
      store.run('UPDATE mail SET chat_id = NULL WHERE id = ?', id);
    });
    this.look();
    return true;
  }

  /** Who has written the mail; undefined: it is not answered, and why stands beside it. */
  async #senderOf(id: number, incoming: Incoming): Promise<Sender | undefined> {
    const { settings, store, kernel } = this.#services;
    const ignore = (why: string) => store.end(id, 'ignored', why);
    const { from, automatic } = incoming;
    if (from === null) return void ignore('it has not exactly one sender');
    if (from === settings.address) return void ignore('it is from the mailbox itself');
    if (automatic !== null) return void ignore(automatic);
    const { by, signatures, passing } = await proofOf(store.mail(id).raw, from, settings);
    if (by === null && passing && this.#mayWait(id)) return undefined;
    if (by === null) return void ignore('nothing proves its sender');
    for (const signature of signatures) {
      store.run('INSERT OR IGNORE INTO signature VALUES (?, ?)', signature, id);
      const first = store.get<{ mail_id: number }>('SELECT mail_id FROM signature WHERE hash = ?', signature);
      if (first?.mail_id !== id) return void ignore('it was sent before');
    }
    const sender = await senderAt(from, kernel, settings);
    if (sender === undefined) ignore('its sender is unknown');
    return sender;
  }

  #mayWait(id: number): boolean {
    const { seen_at } = this.#services.store.get<{ seen_at: number }>(
      'SELECT seen_at FROM mail WHERE id = ?',
      id,
    )!;
    if (Date.now() > seen_at + PROVE_FOR_MS) return false;
    this.#later.set(id, Date.now() + PROVE_AGAIN_MS);
    return true;
  }

  async #chatFor(mail: StoredMail, incoming: Incoming, { who }: Sender): Promise<string> {
    const { store } = this.#services;
    const { references, message_id } = incoming;
    const chat_id =
      mail.chat_id ?? store.chatOf(references, who) ?? (await this.#newChat(incoming.subject, who));
    store.transaction(() => {
      store.run('UPDATE mail SET chat_id = ? WHERE id = ?', chat_id, mail.id);
      if (message_id !== null) store.bind(message_id, { chat_id, who });
    });
    return chat_id;
  }

  async #newChat(title: string, who: string): Promise<string> {
    const { kernel, store, settings } = this.#services;
    // One that was made just before the process died, and that no mail has.
    const { chats } = await kernel.listChats({ shelf: SURFACE, limit: 1 });
    const [last] = chats;
    const isFree =
      last?.last_message_at === null &&
      last.title === title.slice(0, MAX_TITLE) &&
      store.get('SELECT 1 FROM mail WHERE chat_id = ?', last.id) === undefined;
    if (last && isFree) return last.id;
    const { workdir } = settings;
    const ownMachine = who === MASTER && workdir !== undefined;
    const { id } = await kernel.createChat({
      shelf: SURFACE,
      title: title.slice(0, MAX_TITLE),
      consent: 'ask',
      ...(ownMachine && { workdir, workdir_on: 'server' }),
    });
    return id;
  }

  #isTooMuch(chat_id: string): boolean {
    const { store, settings } = this.#services;
    const { count } = store.get<{ count: number }>(
      'SELECT count(*) AS count FROM outgoing WHERE chat_id = ? AND made_at > ?',
      ...[chat_id, Date.now() - 3600_000],
    )!;
    return count >= settings.answers_per_hour;
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
    const { settings, store, kernel, onAnswer } = this.#services;
    const mail = store.mail(id);
    if (outcome.error?.code === 'kernel_restarted' && mail.attempt < ATTEMPTS) {
      store.run("UPDATE mail SET attempt = attempt + 1, state = 'new' WHERE id = ?", id);
      this.look();
      return;
    }
    const { references, message_id, subject, from } = incoming;
    const message = messageIdOf(store.secret, mail.key, settings.address);
    const thread = [...references, ...(message_id === null ? [] : [message_id])];
    const raw = await written({
      message_id: message,
      from: { name: settings.name, address: settings.address },
      to: from!,
      subject: answerTo(subject),
      text: wordsOf(outcome, sender),
      references: thread,
      attachments: await imagesOf(outcome, kernel, settings.max_mail_bytes / 2),
      automatic: true,
    });
    store.transaction(() => {
      store.send({
        message_id: message,
        recipient: from!,
        raw,
        thread: mail.chat_id === null ? undefined : { chat_id: mail.chat_id, who: sender.who },
      });
      store.end(id, 'done');
    });
    onAnswer();
    await kernel.reportTriage({ engaged: 1, responded: 1 }).catch(() => {});
  }
}

/** Whether the next attempt may succeed. */
const isPassing = (error: unknown): boolean =>
  error instanceof KernelApiError
    ? error.status >= 500 || error.status === 429
    : error instanceof BrokenLine || error instanceof ConnectionLost;

/** Longest title of a chat that is made of a subject. */
const MAX_TITLE = 200;

/** The text of the answer; others than the master need not know what went wrong. */
function wordsOf({ status, text, error }: TurnOutcome, { who }: Sender): string {
  if (status === 'completed') return text === '' ? 'The answer has no text.' : text;
  const reason = who === MASTER && error ? `: ${error.message}` : '.';
  const sentence = status === 'cancelled' ? 'The answer was stopped.' : `This could not be answered${reason}`;
  return text === '' ? sentence : `${text}\n\n${sentence}`;
}
