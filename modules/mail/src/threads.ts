/** Maps threads to chats: each chat belongs to the person whose mail started it. */
import type { Incoming } from './incoming.ts';
import { MASTER, type Sender, SURFACE } from './sender-identity.ts';
import type { MailServices } from './services.ts';
import type { StoredMail } from './store.ts';

/** The maximum length of a chat title taken from a subject. */
const MAX_TITLE = 200;

export class Threads {
  readonly #services: MailServices;

  constructor(services: MailServices) {
    this.#services = services;
  }

  /** Returns the chat of an email, and creates it if its thread has none. */
  async chatFor(mail: StoredMail, incoming: Incoming, { who }: Sender): Promise<string> {
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

  async #newChat(subject: string, who: string): Promise<string> {
    const { kernel, store, settings } = this.#services;
    const title = subject.slice(0, MAX_TITLE);
    const { workdir } = settings;
    const ownMachine = who === MASTER && workdir !== undefined;
    // Reuse a chat that was created just before a crash, and that no mail uses.
    const [last] = (await kernel.listChats({ shelf: SURFACE, limit: 1 })).chats;
    const isFree =
      last?.last_message_at === null &&
      last.title === title &&
      (last.workdir_on === 'server') === ownMachine &&
      store.get('SELECT 1 FROM mail WHERE chat_id = ?', last.id) === undefined;
    if (last && isFree) return last.id;
    const { id } = await kernel.createChat({
      ...{ shelf: SURFACE, title, consent: 'ask' },
      ...(ownMachine && { workdir, workdir_on: 'server' }),
    });
    return id;
  }

  /** Whether the thread has reached the hourly limit of answers: two programs may be answering each other. */
  isTooMuch(chat_id: string): boolean {
    const { store, settings } = this.#services;
    const { count } = store.get<{ count: number }>(
      'SELECT count(*) AS count FROM outgoing WHERE chat_id = ? AND made_at > ?',
      ...[chat_id, Date.now() - 3600_000],
    )!;
    return count >= settings.answers_per_hour;
  }
}
