/**
 * Full-text search in messages. The index narrows down the search; the final match is checked in the message itself.
 */
import type { SearchHit, SearchStore } from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { readBlocks } from '../tables/blocks.ts';
import type { Db } from '../tables/schema.ts';
import { indexNew, searchableText } from './new-texts.ts';
import { rarest, snippet, type WantedWords, wantedBy } from './snippet.ts';

/** Texts per read. */
const PAGE = 100;

/** Newest first, by the time when they were stored; a copy comes before its original. */
async function searchMessages(
  db: Db,
  index: SearchIndex,
  query: string,
  limit: number,
): Promise<SearchHit[]> {
  const wanted = wantedBy(query);
  const hits: SearchHit[] = [];
  let before: number | null = null;
  while (wanted && hits.length < limit) {
    const found = await findPage(db, index, wanted, before, Math.min(limit, PAGE));
    if (found.length === 0) break;
    before = found.at(-1)!.text_id;
    const snippets = await readSnippets(db, found, wanted);
    for (const { id, chat_id, text_id, position } of found) {
      const line = snippets.get(text_id);
      const waiting = position === null && ({ waiting: true } as const);
      if (line !== undefined) hits.push({ chat_id, message_id: id, snippet: line, ...waiting });
    }
  }
  return hits.slice(0, limit);
}

interface Found {
  id: string;
  chat_id: string;
  text_id: number;
  /** Null while the message waits. */
  position: number | null;
}

/** Returns the messages of the next texts. There are `count` texts unless the end was reached. */
async function findPage(
  db: Db,
  index: SearchIndex,
  { whole, beginning }: WantedWords,
  before: number | null,
  count: number,
): Promise<Found[]> {
  const texts = db
    .selectFrom('texts')
    .select('rowid')
    .where(index.matches(rarest(whole), beginning))
    .$if(before !== null, query => query.where('rowid', '<', before))
    .orderBy('rowid', 'desc')
    .limit(count);
  return (await db
    .selectFrom('messages')
    .select(['id', 'chat_id', 'text_id', 'position'])
    .where('text_id', 'in', texts)
    .orderBy('text_id', 'desc')
    .orderBy('id', 'desc')
    .execute()) as Found[];
}

/** Returns snippets by the number of their text, for texts that contain all words. */
async function readSnippets(
  db: Db,
  found: readonly Found[],
  wanted: WantedWords,
): Promise<Map<number, string>> {
  const ids = new Map(found.map(({ id, text_id }) => [text_id, id]));
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'text_id', 'content'])
    .where('id', 'in', [...ids.values()])
    .execute();
  const lines = rows.map(({ id, text_id, content }) => [
    text_id,
    snippet(searchableText(readBlocks({ id, content }) ?? []), wanted),
  ]);
  return new Map(lines.filter((line): line is [number, string] => line[1] !== undefined));
}

export const searchStore = (transactions: Transactions, index: SearchIndex): SearchStore => ({
  async messages(query, limit) {
    try {
      await indexNew(transactions, index);
    } catch (error) {
      // While the disk is full, what is indexed is still found.
      if (!isUnavailable(error)) throw error;
    }
    return transactions.read(db => searchMessages(db, index, query, limit));
  },
});
