/** Accesses the other folders over separate connections, because the inbox connection waits for new email. */
import type { ImapFlow } from 'imapflow';
import { folderFor, imapFor, searched } from './imap.ts';
import type { MailSettings } from './settings.ts';
import type { WrittenMail } from './store.ts';

/** Each method throws if the mailbox is unreachable. */
export class Folders {
  readonly #settings: MailSettings;

  constructor(settings: MailSettings) {
    this.#settings = settings;
  }

  /** Whether the email is in the folder of sent emails. */
  async hasSent(message_id: string): Promise<boolean> {
    return this.#in('Sent', async client => (await found(client, message_id)).length > 0);
  }

  async addDraft({ raw }: WrittenMail): Promise<void> {
    await this.#in('Drafts', (client, path) => client.append(path, Buffer.from(raw), ['\\Draft', '\\Seen']));
  }

  /** Does nothing if the draft was already removed. */
  async removeDraft(message_id: string): Promise<void> {
    await this.#in('Drafts', async client => {
      const uids = await found(client, message_id);
      if (uids.length > 0) await client.messageDelete(uids.join(','), { uid: true });
    });
  }

  async #in<Answer>(
    use: 'Sent' | 'Drafts',
    work: (client: ImapFlow, path: string) => Promise<Answer>,
  ): Promise<Answer> {
    const client = imapFor(this.#settings);
    try {
      await client.connect();
      const path = await folderFor(client, use);
      await client.mailboxOpen(path);
      return await work(client, path);
    } finally {
      client.close();
    }
  }
}

const found = (client: ImapFlow, message_id: string): Promise<number[]> =>
  searched(client, { header: { 'message-id': message_id } });
