/** Stores imported conversations, each once, with its forks and images in one transaction (FACE-3). */
import { type BulkChatWriter, plain, type Transactions } from '@chat-kernel/storage';
import { appendGrowth, ConflictError, type ImportedChatRows, insertImportedChat } from './import-write.ts';
import type { ImportGrowth, ImportRecord, NewImport } from './records.ts';

export class ImportStore {
  readonly #transactions: Transactions;
  readonly #chats: BulkChatWriter;
  readonly #lots: ImportBatcher;

  constructor(transactions: Transactions, chats: BulkChatWriter) {
    this.#transactions = transactions;
    this.#chats = chats;
    this.#lots = new ImportBatcher(transactions, chats);
  }

  /** A record is deleted with its chat. */
  find(source: string, key: string): Promise<ImportRecord | undefined> {
    return this.#transactions.read(db =>
      db
        .selectFrom('imports')
        .selectAll()
        .where('source', '=', plain(source))
        .where('key', '=', plain(key))
        .executeTakeFirst(),
    );
  }

  /** Returns false and stores nothing if the conversation was already imported. */
  create(made: NewImport): Promise<boolean> {
    const { record, chat, messages, spend, images, forks } = made;
    const isPlain = images.length === 0 && forks.length === 0;
    return unlessStale(
      isPlain ? this.#lots.create({ record, chat, messages, spend }) : this.#createWithAll(made),
    );
  }

  /** Returns false and stores nothing if the chat or the record has changed. */
  grow(growth: ImportGrowth): Promise<boolean> {
    const { images } = growth;
    return unlessStale(
      this.#chats.writeWithImages(images, async db => {
        await appendGrowth(db, this.#chats, growth);
        await this.#chats.insertImages(db, images);
      }),
    );
  }

  #createWithAll({ images, forks, ...made }: NewImport): Promise<void> {
    return this.#chats.writeWithImages(images, async db => {
      const insertImagesOf = (id: string) =>
        this.#chats.insertImages(
          db,
          images.filter(({ record }) => record.chat_id === id),
        );
      await insertImportedChat(db, this.#chats, made);
      await insertImagesOf(made.chat.id);
      for (const fork of forks) {
        await this.#chats.fork(db, fork);
        // After the fork, which copies the image uses of its parent.
        await insertImagesOf(fork.branch.id);
      }
    });
  }
}

/** Returns false if the write found other rows than expected. */
async function unlessStale(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}

/** Messages of a batch, unless a single chat has more. It bounds how long other writes wait. */
const MAX_BATCH_MESSAGES = 50;

interface Waiting extends PromiseWithResolvers<void> {
  rows: ImportedChatRows;
}

/**
 * Batches pending chat imports into one transaction: the cost of a commit, mainly in the index, barely grows with its
 * size.
 */
class ImportBatcher {
  readonly #transactions: Transactions;
  readonly #chats: BulkChatWriter;
  readonly #waiting: Waiting[] = [];
  #busy = false;

  constructor(transactions: Transactions, chats: BulkChatWriter) {
    this.#transactions = transactions;
    this.#chats = chats;
  }

  /** Resolves once the chat is on the disk. @throws Stale if the chat was already imported */
  create(rows: ImportedChatRows): Promise<void> {
    const waiting = { rows, ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    if (!this.#busy) void this.#work();
    return waiting.promise;
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) await this.#write(this.#nextLot());
    this.#busy = false;
  }

  #nextLot(): Waiting[] {
    let messages = 0;
    const end = this.#waiting.findIndex(({ rows }) => {
      messages += rows.messages.length;
      return messages > MAX_BATCH_MESSAGES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
  }

  async #write(lot: readonly Waiting[]): Promise<void> {
    try {
      await this.#transactions.write(async db => {
        for (const { rows } of lot) await insertImportedChat(db, this.#chats, rows);
      });
      for (const { resolve } of lot) resolve();
    } catch (error) {
      if (lot.length > 1 && error instanceof ConflictError) {
        // One failed chat must not affect the others of its batch.
        for (const each of lot) await this.#write([each]);
      } else {
        for (const { reject } of lot) reject(error);
      }
    }
  }
}
