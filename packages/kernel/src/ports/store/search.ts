/**
 * Defines full-text search. A result contains every term of the query; the last term may be a prefix. Any text is a
 * valid query, and a query without terms has no results.
 */

/** A message that a search found. */
export interface SearchHit {
  chat_id: string;
  message_id: string;
  /** A line around the matches, which are marked with **. */
  snippet: string;
  /** Set if the message waits with its turn (WAIT-3). */
  waiting?: true;
}

export interface SearchStore {
  /** Finds messages of people and models in all chats, newest first. */
  messages(query: string, limit: number): Promise<SearchHit[]>;
}
