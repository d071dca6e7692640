/**
 * Batches pending chat imports into one transaction: the cost of a commit, mainly in the index, barely grows with its
 * size.
 */
import type { BulkChatWriter, Transactions } from '@chat-kernel/storage';
import { ConflictError, type ImportedChatRows, insertImportedChat } from './import-write.ts';

/** Messages of a batch, unless a single chat has more. It bounds how long other writes wait. */
const MAX_BATCH_MESSAGES = 100;

interface Waiting extends PromiseWithResolvers<void> {
  rows: ImportedChatRows;
}

export class ImportBatcher {
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
