/**
 * The way of a mail: who wrote it, its chat, its turn, the answer in the outbox. Each step stands in the database before the
 * next begins, and can be done again: the turn by its idempotency key, the answer by its Message-ID.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { BrokenLine, ConnectionLost } from '@chat-kernel/client';
import { KernelApiError, type KernelClient, type Logger, type TurnStream } from '@chat-kernel/module-sdk';
import { admissionOf } from './admission.ts';
import { answerOf } from './answer.ts';
import { roomFor } from './files.ts';
import { type Incoming, incomingOf } from './incoming.ts';
import { inAnswerTo, written } from './outgoing.ts';
import type { Requests } from './requests.ts';
import { MASTER, type Sender } from './senders.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';
import { Threads } from './threads.ts';
import { outcomeOf, startOf, type TurnOutcome } from './turns.ts';

/** Turns that are followed at the same time. */
const AT_ONCE = 32;
/** How often a turn is begun that the end of a kernel breaks off. */
const ATTEMPTS = 5;
/** The wait while the kernel is away. */
const AWAY_MS = 1000;
/** The kernel knows an idempotency key for a day; later the same message would be a second one. */
const KEY_COUNTS_MS = 23 * 3600_000;
/** The wait before another look for a proof that could not be had. */
const PROVE_AGAIN_MS = 30_000;

interface DeskServices {
  settings: MailSettings;
  store: MailStore;
  kernel: KernelClient;
  requests: Requests;
  log: Logger;
  /** Called when a mail is in the outbox. */
  onMail: () => void;
}

export class Desk {
  readonly #services: DeskServices;
  readonly #threads: Threads;
  #wake: () => void = () => {};
  readonly #turns = new Map<number, Promise<void>>();
  /** Mail → when it is looked at again. */
  readonly #later = new Map<number, number>();

  constructor(services: DeskServices) {
    this.#services = services;
    this.#threads = new Threads(services);
  }

  /** There are new mails. */
  look(): void {
    this.#wake();
  }

  /** Works until the signal is aborted. Mails are begun one after the other, so that those of a thread keep their order. */
  async run(signal: AbortSignal): Promise<void> {
    const { store } = this.#services;
    while (!signal.aborted) {
      const news = new Promise<void>(resolve => {
        this.#wake = resolve;
      });
      const waiting = store.all<{ id: number; person_id: string | null }>(
        "SELECT id, person_id FROM mail WHERE state IN ('posted', 'new') ORDER BY state = 'new', id",
      );
      for (const { id, person_id } of waiting) {
        if (this.#turns.has(id) || (this.#later.get(id) ?? 0) > Date.now()) continue;
        if (person_id !== null && this.#turns.size >= AT_ONCE) continue;
        if (signal.aborted) return;
        await this.#begin(id, signal).catch(error => {
          if (!signal.aborted) this.#failed(id, error);
        });
      }
      const later = pause(AWAY_MS, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([news, later]);
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
    const admission = await admissionOf(id, incoming, this.#services);
    if (admission === 'later') return void this.#later.set(id, Date.now() + PROVE_AGAIN_MS);
    if ('why' in admission) return store.end(id, 'ignored', admission.why);
    const { sender } = admission;
    if (sender.who === MASTER && requests.isAnswer(incoming)) return requests.answer(id, incoming);
    store.run('UPDATE mail SET who = ?, person_id = ? WHERE id = ?', sender.who, sender.person_id, id);
    // Turns may wait for a decision: the mail with its word must not wait for them.
    if (this.#turns.size >= AT_ONCE) return;
    const refused = (error: Error) => {
      if (isPassing(error) || signal.aborted) throw error;
      const mail = store.mail(id);
      if (error instanceof KernelApiError && error.status === 404 && mail.state === 'new') {
        this.#threads.forget(mail);
        return this.look();
      }
      const outcome: TurnOutcome = {
        status: 'failed',
        text: '',
        made: new Set(),
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
      .finally(() => {
        this.#turns.delete(id);
        this.look();
      });
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
    const chat_id = await this.#threads.chatFor(store.mail(id), incoming, sender);
    if (store.mail(id).state === 'new') {
      if (this.#threads.isTooMuch(chat_id))
        return void store.end(id, 'ignored', 'its thread had too many answers');
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
    const { settings, store, kernel, onMail } = this.#services;
    const mail = store.mail(id);
    if (outcome.error?.code === 'kernel_restarted' && mail.attempt < ATTEMPTS) {
      store.run("UPDATE mail SET attempt = attempt + 1, state = 'new' WHERE id = ?", id);
      this.look();
      return;
    }
    const place = { kernel, chat_id: mail.chat_id, sender, room: roomFor(settings) };
    const answer = await written(
      { of: mail.key, ...inAnswerTo(incoming), ...(await answerOf(outcome, place)) },
      this.#services,
    );
    store.transaction(() => {
      store.send(answer, mail.chat_id === null ? undefined : { chat_id: mail.chat_id, who: sender.who });
      store.end(id, 'done');
    });
    onMail();
    await kernel.reportTriage({ engaged: 1, responded: 1 }).catch(() => {});
  }
}

/** Whether the next attempt may succeed. */
const isPassing = (error: unknown): boolean =>
  error instanceof KernelApiError
    ? error.status >= 500 || error.status === 429
    : error instanceof BrokenLine || error instanceof ConnectionLost;
