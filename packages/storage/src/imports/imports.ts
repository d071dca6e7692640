/** Conversations from elsewhere: each is stored with its forks and images in one transaction, and once (FACE-3). */
import type { ImportStore, NewImport } from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import { forkChat } from '../chats/forks.ts';
import { insertImage } from '../chats/images.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { plain } from '../tables/text.ts';
import { CREATE_IMPORT, cameAlready, insertImportedChat } from './import-write.ts';

type Tables = Pick<Database, 'search' | 'listed'>;

export class SqlImportStore implements ImportStore {
  readonly #transactions: Transactions;
  readonly #database: Tables;
  readonly #images: StoredBytes;

  constructor(transactions: Transactions, database: Tables, images: StoredBytes) {
    this.#transactions = transactions;
    this.#database = database;
    this.#images = images;
  }

  find: ImportStore['find'] = (source, key) =>
    this.#transactions.read(db =>
      db
        .selectFrom('imports')
        .selectAll()
        .where('source', '=', plain(source))
        .where('key', '=', plain(key))
        .executeTakeFirst(),
    );

  create: ImportStore['create'] = async made => {
    try {
      const { record, chat, messages, spend, images, forks } = made;
      const isPlain = images.length === 0 && forks.length === 0;
      if (isPlain) await this.#transactions.call(CREATE_IMPORT, { record, chat, messages, spend });
      else await this.#transactions.run(() => this.#withAll(made));
      return true;
    } catch (error) {
      if (cameAlready(error)) return false;
      throw error;
    }
  };

  async #withAll(made: NewImport): Promise<void> {
    const ids = made.images.map(({ record }) => record.id);
    try {
      for (const { record, bytes } of made.images) await this.#images.stage(record.id, bytes);
      await this.#transactions.within(async db => {
        const imagesOf = async (id: string) => {
          for (const { record } of made.images) if (record.chat_id === id) await insertImage(db, record);
        };
        await insertImportedChat(db, this.#database.search, made);
        await imagesOf(made.chat.id);
        for (const fork of made.forks) {
          await forkChat(db, this.#database, fork);
          // Behind the fork: it copies the uses of its parent.
          await imagesOf(fork.branch.id);
        }
        for (const id of ids) await this.#images.adopt(db, id);
      });
    } finally {
      // Takes away what has got no row.
      await this.#images.sweep(ids);
    }
  }
}
