/**
 * Full-text search. Every word of a query must be there, the last one as a beginning. Any text is a query; one
 * without words finds nothing.
 */
import type { BookUnit } from '@chat-kernel/protocol';
import type { BookPlace } from './books.ts';

/** A message that a search found. */
export interface SearchHit {
  chat_id: string;
  message_id: string;
  /** A line around the words, which stand between ** and **. */
  snippet: string;
  /** Set where the message waits with its turn (WAIT-3). */
  waiting?: true;
}

/** A part of a book that a search found. */
export interface BookHit {
  book_id: string;
  title: string;
  unit: BookUnit;
  place: BookPlace;
  /** A line around the words, as in a SearchHit. */
  snippet: string;
}

export interface SearchStore {
  /** Finds what people and models said in all chats, the newest first. */
  messages(query: string, limit: number): Promise<SearchHit[]>;
  /**
   * Finds parts of all books of a shelf, first those that say the most of the query. `more`: not all that match are
   * among them.
   */
  books(shelf: string, query: string, limit: number): Promise<{ hits: BookHit[]; more: boolean }>;
}
