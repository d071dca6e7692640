/**
 * Handles decisions by email: sends each request in a chat of the master to the master, with a code for each answer. A code is
 * valid once, from a verified address of the master, and while its request is open.
 */
import { createHash, randomInt } from 'node:crypto';
import { isRetryable, type PendingRequest } from '@chat-kernel/client';
import { KernelApiError } from '@chat-kernel/module-sdk';
import { followRequests, requestKey } from '@chat-kernel/module-sdk/surface';
import { type Answer, type Asked, toMailRequest } from './approval-mail.ts';
import { DRAFT_ACTION } from './drafts.ts';
import type { Incoming } from './incoming.ts';
import { composeMail, replyHeaders } from './outgoing.ts';
import { MASTER } from './sender-identity.ts';
import type { MailServices } from './services.ts';
import type { WrittenMail } from './store.ts';

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const WORD = /\b[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}\b/g;

export class Requests {
  readonly #services: MailServices;

  constructor(services: MailServices) {
    this.#services = services;
  }

  /** Follows the kernel's requests until the signal is aborted. */
  run(signal: AbortSignal): Promise<void> {
    const { store } = this.#services;
    return followRequests<string>(
      {
        show: request => this.#show(request),
        shown: () =>
          new Map(
            store.all<{ id: string }>('SELECT id FROM asked WHERE ended = 0').map(({ id }) => [id, id]),
          ),
        close: id => void store.run('UPDATE asked SET ended = 1 WHERE id = ?', id),
      },
      { ...this.#services, signal },
    );
  }

  async #show(request: PendingRequest): Promise<void> {
    const { store, guard } = this.#services;
    const id = requestKey(request);
    if (!this.#isOurs(request) || store.get('SELECT 1 FROM asked WHERE id = ?', id)) return;
    const show = async () => {
      const asked = toMailRequest(request);
      if (asked) await this.#ask(asked);
    };
    await guard.attempt(`request ${id}`, show, () => this.#giveUp(request, id));
  }

  /** Sends a notice without codes in place of the request. */
  async #giveUp({ chat_id, expires_at }: PendingRequest, id: string): Promise<void> {
    const { settings, log, onMail } = this.#services;
    log.error('A request is given up: showing it ended the program twice.');
    const mail = await composeMail(
      {
        of: `asked ${id}`,
        to: settings.owner[0]!,
        subject: 'A request for you',
        text: 'A request could not be shown here: showing it ended the program twice. Decide in another client.',
        references: this.#threadOf(chat_id),
      },
      this.#services,
    );
    this.#record({ id, chat_id, expires_at: Date.parse(expires_at) }, mail, []);
    onMail();
  }

  /** True for requests of the master's mail chats, and for the module's own drafts in any chat. */
  #isOurs({ chat_id, event }: PendingRequest): boolean {
    if (event.type === 'consent_request' && event.action === DRAFT_ACTION) return true;
    const { store } = this.#services;
    return store.get('SELECT 1 FROM thread WHERE chat_id = ? AND who = ?', chat_id, MASTER) !== undefined;
  }

  /** Sends an email with a code for each answer. */
  async #ask({ id, chat_id, expires_at, subject, text, answers }: Asked): Promise<void> {
    const { settings, onMail } = this.#services;
    const words = answers.map(answer => ({ ...answer, word: newWord() }));
    const lines = words.map(({ word, label }) => `- \`${word}\` ${label}`);
    const mail = await composeMail(
      {
        of: `asked ${id}`,
        to: settings.owner[0]!,
        subject,
        text: `${text}\n\nTo decide, reply to this email with one of these codes on the first line:\n\n${lines.join('\n')}\n\nEach code works once.`,
        references: this.#threadOf(chat_id),
      },
      this.#services,
    );
    this.#record({ id, chat_id, expires_at }, mail, words);
    onMail();
  }

  /** Stores that a request is shown, with its email and the codes in it. */
  #record(
    { id, chat_id, expires_at }: Pick<Asked, 'id' | 'chat_id' | 'expires_at'>,
    mail: WrittenMail,
    words: readonly { word: string; does: Answer }[],
  ): void {
    const { store } = this.#services;
    store.transaction(() => {
      store.run(
        'INSERT INTO asked (id, message_id, chat_id, expires_at) VALUES (?, ?, ?, ?)',
        ...[id, mail.message_id, chat_id, expires_at],
      );
      for (const { word, does } of words) {
        store.run('INSERT INTO word VALUES (?, ?, ?)', hashWord(word), id, JSON.stringify(does));
      }
      store.send(mail);
    });
  }

  /** The most recent mail in the thread of the chat. */
  #threadOf(chat_id: string): string[] {
    const row = this.#services.store.get<{ message_id: string }>(
      'SELECT message_id FROM thread WHERE chat_id = ? AND who = ? ORDER BY rowid DESC LIMIT 1',
      ...[chat_id, MASTER],
    );
    return row ? [row.message_id] : [];
  }

  /**
   * Whether the email replies to a request for a decision. If the signature does not cover what it replies to, the code
   * decides.
   */
  isAnswer({ references, text }: Incoming): boolean {
    const { store } = this.#services;
    const answered = references.at(-1);
    if (answered !== undefined)
      return store.get('SELECT 1 FROM asked WHERE message_id = ?', answered) !== undefined;
    return codesIn(text).some(
      code => store.get('SELECT 1 FROM word WHERE hash = ?', hashWord(code)) !== undefined,
    );
  }

  /** Applies the decision and reports the outcome to the master. */
  async answer(mailId: number, incoming: Incoming): Promise<void> {
    const { store, onMail } = this.#services;
    const text = await this.#decide(incoming);
    const mail = await composeMail(
      { of: store.mail(mailId).key, ...replyHeaders(incoming), text },
      this.#services,
    );
    store.transaction(() => {
      store.send(mail);
      store.end(mailId, 'done');
    });
    onMail();
  }

  /** Returns the text that the master reads. */
  async #decide({ text, references }: Incoming): Promise<string> {
    const { store } = this.#services;
    const codes = codesIn(text);
    if (codes.length !== 1) {
      return `The first line has ${codes.length === 0 ? 'no code' : 'more than one code'}. Reply with exactly one of the codes. Nothing was done.`;
    }
    const found = store.get<{ answer: string; asked_id: string; expires_at: number; ended: number }>(
      'SELECT answer, asked_id, expires_at, ended FROM word JOIN asked ON asked.id = asked_id WHERE hash = ? AND message_id = coalesce(?, message_id)',
      ...[hashWord(codes[0]!), references.at(-1) ?? null],
    );
    if (!found) return 'This code does not belong to the request. Nothing was done.';
    if (found.expires_at < Date.now()) return 'This request has expired. Nothing was done.';
    if (found.ended) return 'This request is already closed. Nothing was done.';
    const sentence = await this.#perform(JSON.parse(found.answer));
    store.run('UPDATE asked SET ended = 1 WHERE id = ?', found.asked_id);
    return sentence;
  }

  /** The kernel accepts one answer for each request. Repeating it after a crash has no effect. */
  async #perform({ chat_id, body }: Answer): Promise<string> {
    try {
      await this.#services.kernel.answerRequest(chat_id, body);
      return 'Decision recorded.';
    } catch (error) {
      if (!(error instanceof KernelApiError) || isRetryable(error)) throw error;
      const outcome =
        error.code === 'internal' ? 'Your decision may not have been recorded' : 'Nothing was done';
      return `${outcome}: ${error.detail}`;
    }
  }
}

/** The codes on the first line, without those of quotes. */
function codesIn(text: string): string[] {
  const first = text.split('\n').find(line => line.trim() !== '' && !line.startsWith('>')) ?? '';
  return [...new Set(first.toUpperCase().match(WORD) ?? [])];
}

const hashWord = (word: string): string => createHash('sha256').update(word).digest('hex');

function newWord(): string {
  const letters = Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
