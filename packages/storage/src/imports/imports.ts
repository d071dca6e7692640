/** Conversations from elsewhere: each is stored with its forks and images in one transaction, and once (FACE-3). */
import type { ImportStore, NewImport } from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import { forkChat } from '../chats/forks.ts';
import { insertImage } from '../chats/images.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';
import { ImportLots } from './import-lots.ts';
import { appendGrowth, insertImportedChat, Stale } from './import-write.ts';

type Tables = Pick<Database, 'search' | 'listed'>;

export class SqlImportStore implements ImportStore {
  readonly #transactions: Transactions;
  readonly #database: Tables;
  readonly #images: StoredBytes;
  readonly #lots: ImportLots;

  constructor(transactions: Transactions, database: Tables, images: StoredBytes) {
    this.#transactions = transactions;
    this.#database = database;
    this.#images = images;
    this.#lots = new ImportLots(transactions, database.search);
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
      if (isPlain) await this.#lots.create({ record, chat, messages, spend });
      else await this.#transactions.run(() => this.#withAll(made));
      return true;
    } catch (error) {
      if (error instanceof Stale) return false;
      throw error;
    }
  };

  grow: ImportStore['grow'] = async growth => {
    const { images } = growth;
    try {
      await this.#transactions.run(() =>
        this.#withImages(images, async db => {
          await appendGrowth(db, this.#database.search, growth);
          for (const { record } of images) await insertImage(db, record);
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof Stale) return false;
      throw error;
    }
  };

  #withAll({ images, forks, ...made }: NewImport): Promise<void> {
    return this.#withImages(images, async db => {
      const imagesOf = async (id: string) => {
        for (const { record } of images) if (record.chat_id === id) await insertImage(db, record);
      };
      await insertImportedChat(db, this.#database.search, made);
      await imagesOf(made.chat.id);
      for (const fork of forks) {
        await forkChat(db, this.#database, fork);
        // Behind the fork: it copies the uses of its parent.
        await imagesOf(fork.branch.id);
      }
    });
  }

  /** Runs a transaction that inserts these images. */
  async #withImages(images: NewImport['images'], work: (db: Db) => Promise<void>): Promise<void> {
    const ids = images.map(({ record }) => record.id);
    try {
      for (const { record, bytes } of images) await this.#images.stage(record.id, bytes);
      await this.#transactions.within(async db => {
        await work(db);
        for (const id of ids) await this.#images.adopt(db, id);
      });
    } finally {
      // Takes away what has got no row.
      await this.#images.sweep(ids);
    }
  }
}
