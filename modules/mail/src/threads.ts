/** The chats of threads: each belongs to the person whose mail it began with. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import type { Incoming } from './incoming.ts';
import { MASTER, type Sender, SURFACE } from './senders.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore, StoredMail } from './store.ts';

/** Longest title of a chat that is made of a subject. */
const MAX_TITLE = 200;

interface ThreadServices {
  settings: MailSettings;
  store: MailStore;
  kernel: KernelClient;
}

export class Threads {
  readonly #services: ThreadServices;

  constructor(services: ThreadServices) {
    this.#services = services;
  }

  /** The chat of a mail, made where its thread has none. */
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
    // One that was made just before the process died, and that no mail has.
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

  /** Whether the thread had all the answers of this hour: two programs may be talking with each other. */
  isTooMuch(chat_id: string): boolean {
    const { store, settings } = this.#services;
    const { count } = store.get<{ count: number }>(
      'SELECT count(*) AS count FROM outgoing WHERE chat_id = ? AND made_at > ?',
      ...[chat_id, Date.now() - 3600_000],
    )!;
    return count >= settings.answers_per_hour;
  }

  /** Somebody has deleted the chat of a mail: its thread goes on in a new one. */
  forget({ id, chat_id }: StoredMail): void {
    const { store } = this.#services;
    store.transaction(() => {
      store.run('DELETE FROM thread WHERE chat_id = ?', chat_id);
      store.run('UPDATE mail SET chat_id = NULL WHERE id = ?', id);
    });
  }
}
