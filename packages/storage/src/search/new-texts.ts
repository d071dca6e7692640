/**
 * Puts the texts of new messages into the search index. This happens after the transactions that stored them, and for many
 * messages at once: an index of words writes several pages in each transaction. A search does it first, so it misses none.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { StoredBlock } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { readBlocks } from '../tables/blocks.ts';
import type { Db } from '../tables/schema.ts';
import { distinctWordsInSteps } from './tokenizer.ts';

/** In the column `text_id` of a message: it has a text that is not indexed yet. */
export const UNINDEXED = 0;
/** Messages per transaction. */
const STEP = 20;
/** A transaction ends after so many words: SQLite indexes them in the main thread, which takes some milliseconds. */
const STEP_WORDS = 1000;

/** Indexes all messages that are not indexed yet, in several transactions. */
export async function indexNew(transactions: Transactions, index: SearchIndex): Promise<void> {
  while (!(await transactions.write(db => indexStep(db, index))));
}

/** Does the same in the open transaction. */
export async function indexNewIn(db: Db, index: SearchIndex): Promise<void> {
  // Read once: until the transaction ends, Postgres would read each indexed row again.
  let ids = await newMessages(db, index);
  while (ids.length > 0) {
    ids = ids.slice(await indexTexts(db, index, ids));
    await nextTick();
  }
}

/** Returns true if there are no more. */
async function indexStep(db: Db, index: SearchIndex): Promise<boolean> {
  const ids = await newMessages(db, index, STEP);
  return ids.length === 0 || ((await indexTexts(db, index, ids)) === ids.length && ids.length < STEP);
}

/** Indexes the first of these messages. Returns their number. */
async function indexTexts(db: Db, index: SearchIndex, ids: readonly string[]): Promise<number> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'content'])
    .where('id', 'in', ids.slice(0, STEP))
    .orderBy('id')
    .execute();
  const numbered = [];
  let count = 0;
  for (const { id, content } of rows) {
    if (count > STEP_WORDS) break;
    const words = await listSearchTerms(readBlocks({ id, content }) ?? []);
    numbered.push(sql`(${id}, ${await indexWords(db, index, words)})`);
    count += words.length;
  }
  // Both databases call the columns of values so.
  await sql`
    update messages set text_id = cast(texts.column2 as bigint)
    from (values ${sql.join(numbered)}) as texts where messages.id = texts.column1`.execute(db);
  return numbered.length;
}

/**
 * Returns messages that are not indexed yet, in the order of time, without those that another kernel is just indexing.
 */
export async function newMessages(
  db: Db,
  index: Pick<SearchIndex, 'lockFree'>,
  limit?: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    // A literal, so that the database knows that its index of texts has these rows.
    .where('text_id', '=', sql.lit(UNINDEXED))
    .$if(limit !== undefined, query => query.limit(limit as number))
    .modifyEnd(index.lockFree)
    .execute();
  return rows.map(({ id }) => id).sort();
}

/** Indexes a text. Returns its number for the row of the message, or null if it has no words. */
export const indexWords = async (
  db: Db,
  index: SearchIndex,
  words: readonly string[],
): Promise<number | null> => (words.length === 0 ? null : await index.add(db, words));

/** Returns the words by which a message with these blocks is found. */
export const listSearchTerms = (content: readonly StoredBlock[]): Promise<string[]> =>
  distinctWordsInSteps(searchableText(content));

/** Whether a message with these blocks may be found. */
export const hasText = (content: readonly StoredBlock[]): boolean => content.some(isSearched);

/** Returns the text of users and models, without the kernel's own insertions. */
export const searchableText = (content: readonly StoredBlock[]): string =>
  content
    .filter(isSearched)
    .map(({ text }) => text)
    .join('\n');

function isSearched(block: StoredBlock): block is Extract<StoredBlock, { type: 'text' | 'quote' }> {
  const { note, compaction, drawn } = block.internal ?? {};
  return (block.type === 'text' || block.type === 'quote') && !note && !compaction && !drawn;
}
