/**
 * Plain imported chats that wait for each other share a transaction: what a commit costs, in the index above all, hardly
 * grows with what it holds.
 */
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { type ImportedChatRows, insertImportedChat, Stale } from './import-write.ts';

/** Messages of a lot, unless a single chat has more: for so long other writes wait. */
const MOST_MESSAGES = 100;

interface Waiting extends PromiseWithResolvers<void> {
  rows: ImportedChatRows;
}

export class ImportLots {
  readonly #transactions: Transactions;
  readonly #index: SearchIndex;
  readonly #waiting: Waiting[] = [];
  #busy = false;

  constructor(transactions: Transactions, index: SearchIndex) {
    this.#transactions = transactions;
    this.#index = index;
  }

  /** Resolves once the chat is on the disk. @throws Stale where it has come already */
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
      return messages > MOST_MESSAGES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
  }

  async #write(lot: readonly Waiting[]): Promise<void> {
    try {
      await this.#transactions.write(async db => {
        for (const { rows } of lot) await insertImportedChat(db, this.#index, rows);
      });
      for (const { resolve } of lot) resolve();
    } catch (error) {
      if (lot.length > 1 && error instanceof Stale) {
        // The others have nothing to do with it.
        for (const each of lot) await this.#write([each]);
      } else {
        for (const { reject } of lot) reject(error);
      }
    }
  }
}
