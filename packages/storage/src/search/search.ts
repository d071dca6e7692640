/** Full-text search in messages. */
import type { SearchStore } from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { searchMessages } from './message-search.ts';

export const searchStore = (transactions: Transactions, index: SearchIndex): SearchStore => ({
  messages: (query, limit) => transactions.read(db => searchMessages(db, index, query, limit)),
});
