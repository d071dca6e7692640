/** Conversations from elsewhere: each is stored with its forks and images in one transaction, and once (FACE-3). */
import type { ImportStore, NewImport } from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import { insertChat, takePositions } from '../chats/chat-rows.ts';
import { forkChat } from '../chats/forks.ts';
import { insertImage } from '../chats/images.ts';
import { insertMessages } from '../chats/message-writes.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { recordSpend } from '../spend/spend.ts';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';

type Tables = Pick<Database, 'search' | 'listed'>;

/** Rolls the transaction back. */
class CameAlready extends Error {}

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

  create: ImportStore['create'] = made => this.#transactions.run(() => this.#create(made));

  async #create(made: NewImport): Promise<boolean> {
    const ids = made.images.map(({ record }) => record.id);
    try {
      for (const { record, bytes } of made.images) await this.#images.stage(record.id, bytes);
      await this.#transactions.within(async db => {
        await insertImport(db, this.#database, made);
        for (const id of ids) await this.#images.adopt(db, id);
      });
      return true;
    } catch (error) {
      await this.#images.sweep(ids);
      if (error instanceof CameAlready) return false;
      throw error;
    }
  }
}

async function insertImport(db: Db, database: Tables, made: NewImport): Promise<void> {
  const { record, chat, messages, spend, images, forks } = made;
  await insertChat(db, chat);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('imports')
    .values({ ...record, source: plain(record.source), key: plain(record.key) })
    .onConflict(conflict => conflict.columns(['source', 'key']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new CameAlready();
  if (messages.length > 0) {
    await takePositions(db, chat.id, messages.length);
    await insertMessages(db, database.search, messages, 1);
  }
  for (const row of spend) await recordSpend(db, chat.id, row);
  const imagesOf = async (id: string) => {
    for (const image of images) if (image.record.chat_id === id) await insertImage(db, image.record);
  };
  await imagesOf(chat.id);
  for (const fork of forks) {
    await forkChat(db, database, fork);
    // Behind the fork: it copies the uses of its parent.
    await imagesOf(fork.branch.id);
  }
}
