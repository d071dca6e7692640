/**
 * Decisions by mail: what the kernel asks in a chat of the master goes to the master as a mail with a word for each answer.
 * A word counts once, from a proved address of the master alone, and only as long as its request is open.
 */
import { createHash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingRequest } from '@chat-kernel/client';
import { KernelApiError, type KernelClient, type Logger } from '@chat-kernel/module-sdk';
import { type Answer, type Asked, askedOf } from './asked.ts';
import { DRAFT_ACTION } from './drafts.ts';
import type { Incoming } from './incoming.ts';
import { inAnswerTo, written } from './outgoing.ts';
import { MASTER } from './senders.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const WORD = /\b[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}\b/g;

/** After these the kernel may ask something else than before. */
const NEWS: ReadonlySet<string> = new Set(['opened', 'reset', 'request_opened', 'request_resolved']);

interface RequestServices {
  settings: MailSettings;
  store: MailStore;
  kernel: KernelClient;
  log: Logger;
  /** Called when a mail is in the outbox. */
  onMail: () => void;
}

export class Requests {
  readonly #services: RequestServices;

  constructor(services: RequestServices) {
    this.#services = services;
  }

  /** Follows what the kernel asks, until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { kernel, log } = this.#services;
    while (!signal.aborted) {
      try {
        for await (const event of kernel.events({ signal })) {
          if (NEWS.has(event.type)) await this.#compare();
        }
      } catch (error) {
        if (!signal.aborted) log.warn(`Requests are not told for now: ${(error as Error).message}`);
      }
      await pause(1000, undefined, { signal }).catch(() => {});
    }
  }

  /** Tells of every open request that was not told yet, and ends those that are not open any more. */
  async #compare(): Promise<void> {
    const { kernel, store } = this.#services;
    const { requests } = await kernel.listRequests();
    const open = requests.filter(request => this.#isOurs(request)).flatMap(request => askedOf(request) ?? []);
    for (const asked of open) await this.#ask(asked);
    for (const { id } of store.all<{ id: string }>('SELECT id FROM asked WHERE ended = 0')) {
      if (!open.some(asked => asked.id === id)) store.run('UPDATE asked SET ended = 1 WHERE id = ?', id);
    }
  }

  /** What the chats of the master ask, and the module's own drafts, wherever they are written. */
  #isOurs({ chat_id, event }: PendingRequest): boolean {
    if (event.type === 'client_op' && event.action === DRAFT_ACTION) return true;
    const { store } = this.#services;
    return store.get('SELECT 1 FROM thread WHERE chat_id = ? AND who = ?', chat_id, MASTER) !== undefined;
  }

  /** Sends a mail with a word for each answer, once for each id. */
  async #ask({ id, chat_id, expires_at, subject, text, answers }: Asked): Promise<void> {
    const { settings, store, onMail } = this.#services;
    if (store.get('SELECT 1 FROM asked WHERE id = ?', id)) return;
    const words = answers.map(answer => ({ ...answer, word: newWord() }));
    const lines = words.map(({ word, label }) => `- \`${word}\` ${label}`);
    const mail = await written(
      {
        of: `asked ${id}`,
        to: settings.owner[0]!,
        subject,
        text: `${text}\n\nTo decide, answer this mail with one of these words in the first line:\n\n${lines.join('\n')}\n\nEach counts once.`,
        references: this.#threadOf(chat_id),
      },
      this.#services,
    );
    store.transaction(() => {
      store.run(
        'INSERT INTO asked (id, message_id, chat_id, expires_at) VALUES (?, ?, ?, ?)',
        ...[id, mail.message_id, chat_id, expires_at],
      );
      for (const { word, does } of words) {
        store.run('INSERT INTO word VALUES (?, ?, ?)', hashOf(word), id, JSON.stringify(does));
      }
      store.send(mail);
    });
    onMail();
  }

  /** The last mail of the chat's thread. */
  #threadOf(chat_id: string): string[] {
    const row = this.#services.store.get<{ message_id: string }>(
      'SELECT message_id FROM thread WHERE chat_id = ? AND who = ? ORDER BY rowid DESC LIMIT 1',
      ...[chat_id, MASTER],
    );
    return row ? [row.message_id] : [];
  }

  /** Whether the mail answers one that asked for a decision. */
  isAnswer({ references }: Incoming): boolean {
    const answered = references.at(-1) ?? '';
    return this.#services.store.get('SELECT 1 FROM asked WHERE message_id = ?', answered) !== undefined;
  }

  /** Does what the word says, and tells the master what came of it. */
  async answer(mailId: number, incoming: Incoming): Promise<void> {
    const { store, onMail } = this.#services;
    const text = await this.#decide(incoming);
    const mail = await written({ of: store.mail(mailId).key, ...inAnswerTo(incoming), text }, this.#services);
    store.transaction(() => {
      store.send(mail);
      store.end(mailId, 'done');
    });
    onMail();
  }

  /** Returns the sentence that the master reads. */
  async #decide({ text, references }: Incoming): Promise<string> {
    const { store } = this.#services;
    const first = text.split('\n').find(line => line.trim() !== '' && !line.startsWith('>')) ?? '';
    const given = [...new Set(first.toUpperCase().match(WORD) ?? [])];
    if (given.length !== 1) {
      return `The first line has ${given.length === 0 ? 'no word' : 'more than one word'} of those that were offered. Nothing was done.`;
    }
    const found = store.get<{ answer: string; asked_id: string; expires_at: number; ended: number }>(
      'SELECT answer, asked_id, expires_at, ended FROM word JOIN asked ON asked.id = asked_id WHERE hash = ? AND message_id = ?',
      ...[hashOf(given[0]!), references.at(-1) ?? ''],
    );
    if (!found) return 'That word is none of those that were offered. Nothing was done.';
    if (found.expires_at < Date.now()) return 'The time to decide is over. Nothing was done.';
    if (found.ended) return 'This is decided, or over: each word counts once. Nothing was done.';
    const sentence = await this.#perform(JSON.parse(found.answer));
    store.run('UPDATE asked SET ended = 1 WHERE id = ?', found.asked_id);
    return sentence;
  }

  /** The kernel takes one answer for each request; one that comes again after a crash changes nothing. */
  async #perform({ chat_id, body }: Answer): Promise<string> {
    try {
      await this.#services.kernel.answerRequest(chat_id, body);
      return 'Your decision was taken.';
    } catch (error) {
      if (error instanceof KernelApiError && error.status < 500 && error.status !== 429) {
        return `Nothing was done: ${error.detail}`;
      }
      throw error;
    }
  }
}

const hashOf = (word: string): string => createHash('sha256').update(word).digest('hex');

function newWord(): string {
  const letters = Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
