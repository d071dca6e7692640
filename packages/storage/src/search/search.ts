/** Full-text search in messages. */
import type { SearchStore } from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { searchMessages } from './message-search.ts';

export class SqlSearchStore implements SearchStore {
  readonly #transactions: Transactions;
  readonly #index: SearchIndex;

  constructor(transactions: Transactions, index: SearchIndex) {
    this.#transactions = transactions;
    this.#index = index;
  }

  messages: SearchStore['messages'] = (query, limit) =>
    this.#transactions.read(db => searchMessages(db, this.#index, query, limit));
}
